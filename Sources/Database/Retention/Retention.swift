package import Contract
import Logging
import Outbox
package import Postgres
import Reactor

/// Removes closed slots that are older than `RETENTION_DAYS`, with all rows that depend on them.
///
/// Every server runs it; one works at a time, and all together take a fifth of the time at most. It does
/// nothing near an opening. A database that holds slots is announced first, and touched seven days later.
package struct Retention: Sendable {
    package enum Outcome: Equatable, Sendable {
        case removed(SlotRemoval.Counts)
        case nothingIsOld
        /// Nothing is done: another server works, an opening is near, the announcement is recent, or the rest
        /// after some work is not over.
        case waits
    }

    package static let notice = Duration.seconds(7 * 24 * 3600)
    /// The length of the rest after some work, as a multiple of the work's.
    private static let restFactor = 4
    private static let statementTimeout = Duration.seconds(60)
    private static let key: Int64 = 0x6C65_7475

    package let days: Int
    package let quiet: Quiet
    package let pool: PostgresPool
    package let metrics: RetentionMetrics
    package let now: CurrentTime
    var partSize: Int64 = 500

    package init(
        days: Int, quiet: Quiet, pool: PostgresPool, metrics: RetentionMetrics,
        now: @escaping CurrentTime, partSize: Int64 = 500
    ) {
        self.days = days
        self.quiet = quiet
        self.pool = pool
        self.metrics = metrics
        self.now = now
        self.partSize = partSize
    }

    private static let lock = "SELECT pg_try_advisory_xact_lock($1)"

    private static let read = "SELECT announced_at, rests_until FROM retention"

    private static let announce = """
        INSERT INTO retention (announced_at, rests_until) VALUES ($1, $1)
        RETURNING EXISTS (SELECT FROM slots)
        """

    private static let oldest = """
        SELECT starts_at FROM slots
        WHERE starts_at < $1 AND closed_at IS NOT NULL
            AND starts_at < coalesce((SELECT min(starts_at) FROM slots WHERE closed_at IS NULL), 'infinity')
        ORDER BY starts_at
        LIMIT 1
        """

    private static let rest = "UPDATE retention SET rests_until = $1"

    /// Deletes old outages. An outage matters as long as there is a slot that it may have overlapped.
    private static let forgetOutages = """
        DELETE FROM outages
        WHERE ended_at < $1 AND NOT EXISTS (SELECT FROM slots WHERE slots.starts_at < outages.ended_at)
        """

    /// Removes one part, if it is the time for it, and returns the pause after it; nil if all slots are kept.
    /// If the task is cancelled, the part under way is undone.
    package func removeExpired(at start: Timestamp) async throws -> Duration? {
        guard days > 0 else { return nil }
        // A server that starts has other work.
        guard metrics.current.lastRun != nil else {
            metrics.looked(at: start)
            return .seconds(60)
        }
        let began = Monotonic.nanoseconds()
        do {
            switch try await step() {
            case .removed: return .nanoseconds(Int64(Monotonic.nanoseconds() - began)) * Self.restFactor
            case .nothingIsOld: return .seconds(600)
            case .waits: return .seconds(60)
            }
        } catch {
            if !Task.isCancelled { metrics.addFailure() }
            throw error
        }
    }

    /// Removes one part, if it is the time for it.
    package func step() async throws -> Outcome {
        guard days > 0 else { return .waits }
        let began = Monotonic.nanoseconds()
        let outcome = try await pool.withConnection { connection in
            try await connection.withStatementTimeout(Self.statementTimeout) { connection in
                try await connection.transaction { try await step(on: $0) }
            }
        }
        switch outcome {
        case .removed(let counts):
            metrics.add(counts, at: now(), seconds: Double(Monotonic.nanoseconds() - began) / 1e9)
        case .nothingIsOld: metrics.looked(at: now())
        case .waits: break
        }
        return outcome
    }

    private func step(on connection: PostgresConnection) async throws -> Outcome {
        guard try await connection.query(Self.lock, [Self.key])[0].decode(0, Bool.self) else { return .waits }
        let time = now()
        guard let row = try await connection.query(Self.read).first else {
            try await announce(at: time, on: connection)
            metrics.looked(at: time)
            return .waits
        }
        let (announcedAt, restsUntil) = try row.decode(Timestamp.self, Timestamp.self)
        guard time >= announcedAt.adding(Self.notice) else {
            metrics.looked(at: time)
            return .waits
        }
        guard time >= restsUntil, try await quiet.reigns(at: time, in: connection) else { return .waits }
        let limit = time.adding(.zero - .seconds(days * 24 * 3600))
        guard let slot = try await connection.query(Self.oldest, [limit]).first else {
            try await connection.query(Self.forgetOutages, [limit])
            return .nothingIsOld
        }
        let began = Monotonic.nanoseconds()
        let removal = SlotRemoval(startsAt: try slot.decode(0, Timestamp.self), size: partSize)
        let counts = try await removal.removePart(on: connection)
        let work = Duration.nanoseconds(Int64(Monotonic.nanoseconds() - began))
        try await connection.query(Self.rest, [now().adding(work * Self.restFactor)])
        return .removed(counts)
    }

    private func announce(at time: Timestamp, on connection: PostgresConnection) async throws {
        let rows = try await connection.query(Self.announce, [time])
        guard try rows[0].decode(0, Bool.self) else { return }
        Log.warning(
            "slots that are older than RETENTION_DAYS will be removed; 0 keeps all",
            ["days": days, "from": "\(time.adding(Self.notice))"])
    }
}
