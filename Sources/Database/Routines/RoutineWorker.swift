package import Contract
import Logging
package import Postgres
import Reactor
package import Scheduling

/// Registers for the days of routines as they come near enough.
///
/// Every server runs it, and the database decides: the server that works on a routine holds the lock of its
/// user, and the others skip the routine. Nothing is done near an opening.
package struct RoutineWorker: Sendable {
    package enum Step: Equatable, Sendable {
        /// One routine was worked on; more may be due.
        case planned
        case nothingIsDue
        /// An opening is near.
        case waits
    }

    /// The pause where nothing is due, or an opening is near.
    private static let pause = Duration.seconds(60)
    /// The time after which a routine is tried again whose days could not be computed or written.
    private static let postponement = Duration.seconds(3600)

    private let planner: RoutinePlanner
    private let quiet: Quiet
    private let pool: PostgresPool
    private let now: CurrentTime
    private let changed: @Sendable (ChangeEvent) -> Void

    package init(
        planner: RoutinePlanner, quiet: Quiet, pool: PostgresPool, now: @escaping CurrentTime,
        changed: @escaping @Sendable (ChangeEvent) -> Void
    ) {
        self.planner = planner
        self.quiet = quiet
        self.pool = pool
        self.now = now
        self.changed = changed
    }

    /// Selects the routine that has been due for longest, and locks its user; routines of users that another
    /// transaction has locked are skipped.
    private static let next = """
        SELECT routines.id FROM routines JOIN accounts ON accounts.id = user_id
        WHERE due_at <= $1 AND NOT \(Suspensions.isInForce("accounts.id"))
        ORDER BY due_at
        LIMIT 1
        FOR NO KEY UPDATE OF accounts SKIP LOCKED
        """

    private static let postpone = "UPDATE routines SET due_at = $2 WHERE id = $1 AND due_at IS NOT NULL"

    /// Works until the task is cancelled. It rests after each step for as long as that took.
    package func run() async {
        while !Task.isCancelled {
            let began = Monotonic.nanoseconds()
            var rest = Self.pause
            do {
                if try await step() == .planned {
                    rest = .nanoseconds(Int64(Monotonic.nanoseconds() - began))
                }
            } catch {
                if Task.isCancelled { return }
                Log.warning("routines failed; retrying", ["error": "\(error)"])
            }
            try? await ContinuousClock().sleep(for: rest)
        }
    }

    /// Works on one routine that is due.
    package func step() async throws -> Step {
        let time = now()
        var current: Identifier?
        var slots: [Timestamp] = []
        do {
            let step: Step = try await pool.transaction(attempts: 3) { connection in
                (current, slots) = (nil, [])
                guard try await quiet.reigns(at: time, in: connection) else { return .waits }
                guard let row = try await connection.query(Self.next, [time]).first else {
                    return .nothingIsDue
                }
                let id = try row.decode(0, Identifier.self)
                current = id
                // Another server may have worked on it before the lock was taken.
                if let routine = try await StoredRoutine.findDue(id, at: time, on: connection) {
                    slots = try await planner.plan(routine, at: time, on: connection)
                }
                return .planned
            }
            Self.tell(slots, at: time, changed)
            return step
        } catch {
            if case .commitUnknown? = error as? PostgresError { Self.tell(slots, at: time, changed) }
            let isDatabaseAway = (error as? PostgresError).map { $0.meansUnavailable || $0.isRetryable }
            guard let current, !Task.isCancelled, isDatabaseAway != true else { throw error }
            // One routine that fails holds up no others.
            Log.warning("routine failed; retrying", ["routine": current, "error": "\(error)"])
            _ = try await pool.execute(Self.postpone, [current, time.adding(Self.postponement)])
            return .planned
        }
    }

    /// Publishes that slots have changed. The others are found in time without it.
    package static func tell(
        _ slots: [Timestamp], at now: Timestamp, _ changed: (ChangeEvent) -> Void
    ) {
        let soon = now.adding(.seconds(86_400))
        for slot in Set(slots) where slot <= soon { changed(.slot(slot)) }
    }
}
