package import Contract
package import Postgres
import Reactor

/// Removes cancelled registrations that had no effect: they were in no room, were not alone at an opening,
/// and no notification is about them. They go a day after they were cancelled, as the answers to idempotency
/// keys do, or 30 days after if the account has a calendar, whose programs have to read that the event is
/// cancelled. 30 days after, registrations that `slot.partnered` and `slot.alone` alone are about go, too,
/// with these notifications.
///
/// A day of a routine whose registration goes stays known as left out. Nothing is removed near an opening.
package struct CancelledRegistrations: Sendable {
    static let retention = Duration.seconds(24 * 3600)
    static let calendarRetention = Duration.seconds(30 * 24 * 3600)
    /// How long before the end of a retention period a pass looks for registrations. Those that fell due
    /// while no server ran for longer go at the end of the second period, or in the next pass over everything
    /// after that.
    static let reach = Duration.seconds(7 * 24 * 3600)
    /// The number of registrations in one transaction.
    static let batch: Int64 = 1_000

    package let pool: PostgresPool
    package let quiet: Quiet
    package let now: CurrentTime
    /// Whether no pass over everything has been finished yet.
    private let looksAtAll = Lock(true)

    package init(pool: PostgresPool, quiet: Quiet, now: @escaping CurrentTime) {
        self.pool = pool
        self.quiet = quiet
        self.now = now
    }

    /// Locks what is due after `$1` and `$4`, so that no routine takes it back meanwhile.
    private static func due(_ conditions: String) -> String {
        """
        SELECT id, cancelled_at FROM registrations AS gone
        WHERE (cancelled_at, id) > ($1, $4) AND cancelled_at <= $2
            AND NOT EXISTS (SELECT FROM members WHERE registration_id = gone.id)
            AND NOT EXISTS (SELECT FROM left_alone WHERE registration_id = gone.id)
            \(conditions)
        ORDER BY cancelled_at, id
        LIMIT $3
        FOR UPDATE OF gone SKIP LOCKED
        """
    }

    private static let first = due(
        """
        AND NOT EXISTS (SELECT FROM notifications WHERE registration_id = gone.id)
        AND NOT EXISTS (SELECT FROM calendars WHERE calendars.user_id = gone.user_id)
        """)
    private static let second = due(
        """
        AND NOT EXISTS (
            SELECT FROM notifications
            WHERE registration_id = gone.id AND type NOT IN ('slot.partnered', 'slot.alone'))
        """)

    private static let leaveDaysOut = """
        UPDATE routine_occurrences SET outcome = 'skipped', starts_at = NULL, registration_id = NULL
        WHERE registration_id = ANY($1) AND outcome = 'registered'
        """

    private static let removeNotices = "DELETE FROM notifications WHERE registration_id = ANY($1)"

    private static let remove = "DELETE FROM registrations WHERE id = ANY($1)"

    /// The last registration that was removed.
    private struct Place {
        var cancelledAt: Timestamp
        var id: Identifier
    }

    /// The outcome of one batch.
    private enum Batch {
        case removed(Int, last: Place)
        case nothingDue
        case openingNear
    }

    /// Removes what is due, in the first finished pass also what fell due long ago. Returns the number, and
    /// the pause until the next pass.
    package func removeExpired() async throws -> (count: Int, pause: Duration) {
        let (count, isFinished) = try await tidy(everything: looksAtAll.withLock { $0 })
        if isFinished { looksAtAll.withLock { $0 = false } }
        return (count, isFinished ? .seconds(3600) : Quiet.pause)
    }

    /// Removes what is due, until an opening is near. Returns the number, and whether all was looked at: if
    /// not, the caller should soon try again. A pass over `everything` also finds what fell due long ago,
    /// but reads every old cancelled registration that stays.
    package func tidy(everything: Bool) async throws -> (count: Int, isFinished: Bool) {
        var total = 0
        for (statement, age, isBounded) in [
            (Self.first, Self.retention, true), (Self.second, Self.calendarRetention, !everything),
        ] {
            let last = now().adding(.zero - age)
            let start = isBounded ? last.adding(.zero - Self.reach) : Timestamp(seconds: 0)
            var place = Place(cancelledAt: start, id: Identifier(value: .max))
            var isMore = true
            while isMore {
                switch try await removeBatch(statement, after: place, to: last) {
                case .removed(let count, let next):
                    total += count
                    place = next
                case .nothingDue: isMore = false
                case .openingNear: return (total, false)
                }
            }
        }
        return (total, true)
    }

    private func removeBatch(
        _ statement: String, after place: Place, to last: Timestamp
    ) async throws -> Batch {
        try await pool.transaction(attempts: 3) { connection in
            guard try await quiet.reigns(at: now(), in: connection) else { return Batch.openingNear }
            let places = try await connection.query(
                statement, [place.cancelledAt, last, Self.batch, place.id]
            ).read { Place(cancelledAt: $1, id: $0) }
            guard let next = places.last else { return Batch.nothingDue }
            let ids = places.map(\.id)
            try await connection.query(Self.leaveDaysOut, [ids])
            try await connection.query(Self.removeNotices, [ids])
            try await connection.query(Self.remove, [ids])
            return Batch.removed(ids.count, last: next)
        }
    }
}
