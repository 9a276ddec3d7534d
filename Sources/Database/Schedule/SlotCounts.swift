package import Postgres
import Reactor

/// Adds up the changes in the number of registrations of each slot, so that a day is read quickly.
///
/// Counts are right without it, since a reader adds the changes itself. Every server runs one.
package struct SlotCounts: Sendable {
    /// The number of changes that are added up in one statement.
    package static let page: Int64 = 10_000
    /// The time between two runs.
    private static let interval = Duration.seconds(1)
    /// The time after which it looks without a signal.
    private static let lookInterval = Duration.seconds(60)

    private let pool: PostgresPool
    private let wakeSignal = WakeSignal()

    package init(pool: PostgresPool) { self.pool = pool }

    /// Wakes it, since there may be changes to be added up.
    package func wake() { wakeSignal.send() }

    /// Adds up changes. Changes that another server is adding up are left to it. Changes of slots that are
    /// gone are deleted.
    private static let fold = """
        WITH gone AS (
            DELETE FROM slot_count_changes
            WHERE ctid = ANY (ARRAY(SELECT ctid FROM slot_count_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
            RETURNING starts_at, change
        ), folded AS (
            INSERT INTO slot_counts (starts_at, people)
            SELECT starts_at, sum(change) FROM gone JOIN slots USING (starts_at)
            GROUP BY starts_at
            ORDER BY starts_at
            ON CONFLICT (starts_at) DO UPDATE SET people = slot_counts.people + excluded.people
        )
        SELECT count(*) FROM gone
        """

    /// Works until the task is cancelled.
    package func run() async {
        await wakeSignal.run(
            on: pool.loop, every: Self.lookInterval, resting: Self.interval,
            "adding up registrations failed; retrying"
        ) { try await fold() }
    }

    /// Adds up all changes, and returns their number.
    @discardableResult
    func fold() async throws -> Int64 {
        var sum: Int64 = 0
        while true {
            let row = try await pool.query(Self.fold, [Self.page]).first
            let count = try row?.decode(0, Int64.self) ?? 0
            sum += count
            if count < Self.page { return sum }
        }
    }
}
