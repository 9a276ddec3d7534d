package import Contract
package import Postgres
import Reactor

/// The figures of pending deliveries, endpoints and deleted accounts in the database, for `/metrics`.
package struct EndpointFigures: Sendable {
    package var waiting = 0
    /// The age of the oldest due delivery, in seconds.
    package var oldestSeconds = 0.0
    package var disabled = 0
    /// The number of deleted accounts whose rows are not all removed.
    package var erasures = 0
    /// The time since the oldest of their deletions, in seconds.
    package var oldestErasureSeconds = 0.0

    private static let select = """
        SELECT (SELECT count(*) FROM deliveries WHERE settled_at IS NULL),
            (SELECT min(due_at) FROM deliveries WHERE settled_at IS NULL),
            (SELECT count(*) FROM endpoints WHERE disabled_at IS NOT NULL AND farewell_at IS NULL)
        """

    package static func read(
        from pool: PostgresPool, at now: Timestamp
    ) async throws(PostgresError) -> EndpointFigures {
        var figures = EndpointFigures()
        guard let row = try await pool.query(select, retrying: true).first else { return figures }
        figures.waiting = Int(try row.decode(0, Int64.self))
        if let oldest = try row.decode(1, Timestamp?.self) {
            figures.oldestSeconds = max(0, now.since(oldest).inSeconds)
        }
        figures.disabled = Int(try row.decode(2, Int64.self))
        guard let row = try await pool.query(AccountErasure.waiting, retrying: true).first else {
            return figures
        }
        figures.erasures = Int(try row.decode(0, Int64.self))
        if let oldest = try row.decode(1, Timestamp?.self) {
            figures.oldestErasureSeconds = max(0, now.since(oldest).inSeconds)
        }
        return figures
    }
}
