import Crypto
import Postgres
import Settings

/// The key that signs tickets: the operator's, or one that is created once and stored in the database.
enum TicketKey {
    private static let make = """
        INSERT INTO secrets (name, value) VALUES ('ticket-key', $1) ON CONFLICT (name) DO NOTHING
        """

    static func read(_ configuration: ServerConfiguration, from pool: PostgresPool) async throws -> [UInt8] {
        if let key = configuration.ticketKey { return Digest.sha256(Array(key.utf8)) }
        var random = SystemRandomNumberGenerator()
        let candidate: [UInt8] = (0..<32).map { _ in random.next() }
        try await pool.query(make, [candidate], retrying: true)
        let rows = try await pool.query(
            "SELECT value FROM secrets WHERE name = 'ticket-key'", retrying: true)
        guard let key = try rows.first?.decode(0, [UInt8].self) else {
            throw PostgresError.decoding("the ticket key has gone")
        }
        return key
    }
}
