import Crypto
import Postgres
import Settings

/// The key by which browsers identify this service: the operator's, or one that is created once and stored in
/// the database.
enum VAPIDKey {
    private static let make = """
        INSERT INTO secrets (name, value) VALUES ('vapid-key', $1) ON CONFLICT (name) DO NOTHING
        """

    static func read(_ configuration: ServerConfiguration, from pool: PostgresPool) async throws
        -> P256PrivateKey
    {
        if let text = configuration.vapidPrivateKey { return try P256PrivateKey(text: text) }
        try await pool.query(make, [try P256PrivateKey().bytes()])
        let rows = try await pool.query("SELECT value FROM secrets WHERE name = 'vapid-key'")
        guard let bytes = try rows.first?.decode(0, [UInt8].self) else {
            throw PostgresError.decoding("the key for browsers has gone")
        }
        return try P256PrivateKey(bytes: bytes)
    }
}
