import Contract
import Postgres

/// Whoever changes who meets whom in a slot holds this, to the end of the transaction.
enum SlotLock {
    /// Apart from the other advisory locks of the schema, whose keys are small.
    private static let offset: Int64 = 1 << 48

    static func take(_ startsAt: Timestamp, on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query("SELECT pg_advisory_xact_lock($1)", [offset + startsAt.seconds])
    }
}
