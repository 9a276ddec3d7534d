package import Postgres

/// A secret of the service that is made once and kept in the database, so that all servers have the same.
package enum StoredSecret {
    private static let insert =
        "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING"
    private static let select = "SELECT value FROM secrets WHERE name = $1"

    /// Returns the secret of this name. Where there is none yet, the candidate becomes it.
    package static func read(
        _ name: String, orKeep candidate: [UInt8], in pool: PostgresPool
    ) async throws(PostgresError) -> [UInt8] {
        try await pool.query(insert, [name, candidate], retrying: true)
        guard let secret = try await pool.query(select, [name], retrying: true).first?.decode(0, [UInt8].self)
        else { throw .decoding("the secret \(name) has gone") }
        return secret
    }
}
