import Logging
package import Postgres

/// Adds up the changes of how many are registered for each slot, so that a day is read quickly.
///
/// Counts are right without it, since a reader adds the changes itself. Every server runs one.
package struct SlotCounts: Sendable {
    /// Changes that are added up in one statement.
    package static let page: Int64 = 10_000
    /// Between two times that it does so.
    private static let interval = Duration.seconds(1)

    private let pool: PostgresPool
    private let wakes: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    package init(pool: PostgresPool) {
        self.pool = pool
        (wakes, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        signal.yield()
    }

    /// There may be changes to be added up.
    package func wake() { signal.yield() }

    /// Changes that another server is adding up are left to it. Those of slots that are gone are of no use.
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

    /// Works until the task is cancelled. What fails is done when it is woken the next time.
    package func run() async {
        for await _ in wakes {
            do {
                try await fold()
            } catch {
                if Task.isCancelled { return }
                Log.warning("registrations are added up later", ["error": "\(error)"])
            }
            try? await ContinuousClock().sleep(for: Self.interval)
        }
    }

    /// Adds up what there is; answers how many changes that were.
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
