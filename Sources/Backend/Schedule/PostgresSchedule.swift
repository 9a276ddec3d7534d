import Contract
import Postgres

/// The schedule as PostgreSQL has it.
struct PostgresSchedule: ScheduleStore {
    let pool: PostgresPool
    /// People of one slot who are told how it went in one transaction.
    var endsAtOnce: Int64 = 10_000

    private static let readAgenda = """
        SELECT starts_at, ends_at, opened_at IS NOT NULL, served_at IS NOT NULL,
            opened_at IS NOT NULL AND EXISTS (
                SELECT FROM registrations
                WHERE registrations.starts_at = slots.starts_at AND cancelled_at IS NULL AND user_id IS NOT NULL
                    AND NOT EXISTS (
                        SELECT FROM members WHERE registration_id = registrations.id AND left_revision IS NULL))
        FROM slots WHERE closed_at IS NULL
        """

    private static let readTimeout = Duration.seconds(60)

    private static let markServed = """
        UPDATE slots SET served_at = $2 WHERE starts_at = $1 AND served_at IS NULL
        """

    /// Between slots nobody notes anything, so a silence counts from the first slot that ran meanwhile. `$2`: a note
    /// that is older than that is from before a silence.
    private static let noteAlive = """
        WITH before AS (
            SELECT alive_at FROM service WHERE alive_at < $2
        ), outage AS (
            INSERT INTO outages (began_at, ended_at)
            SELECT greatest(min(starts_at), min(alive_at)), $1
            FROM before
            JOIN slots ON starts_at < $1 AND ends_at > alive_at + ($1 - $2)
            HAVING greatest(min(starts_at), min(alive_at)) < $1
            ON CONFLICT DO NOTHING
        )
        INSERT INTO service (alive_at) VALUES ($1)
        ON CONFLICT (is_only) DO UPDATE SET alive_at = greatest(service.alive_at, excluded.alive_at)
        """

    func agenda() async throws -> [AgendaEntry] {
        var entries: [AgendaEntry] = []
        for row in try await pool.query(Self.readAgenda, retrying: true) {
            let (startsAt, endsAt, isOpened, isServed, isLate) = try row.decode(
                Timestamp.self, Timestamp.self, Bool.self, Bool.self, Bool.self)
            entries.append(
                AgendaEntry(
                    startsAt: startsAt, endsAt: endsAt, isOpened: isOpened, isServed: isServed,
                    hasLateArrivals: isLate))
        }
        return entries
    }

    func people(of startsAt: Timestamp) async throws -> (people: [SlotPerson], ties: [SlotTie]) {
        try await pool.transaction(.repeatableRead, readOnly: true, attempts: 3) { connection in
            // What a million people know of each other takes its time.
            try await connection.withStatementTimeout(Self.readTimeout) { connection in
                let slot = PostgresSlot(startsAt: startsAt, connection: connection)
                return (try await slot.arrivals(), try await slot.ties(of: nil))
            }
        }
    }

    func serve(_ startsAt: Timestamp, at now: Timestamp) async throws {
        try await pool.execute(Self.markServed, [startsAt, now])
    }

    func noteAlive(at now: Timestamp, silence: Duration) async throws {
        try await pool.execute(Self.noteAlive, [now, now.adding(.zero - silence)])
    }

    func tellEnd(of startsAt: Timestamp, at now: Timestamp) async throws {
        var last: UUID? = UUID(value: 0)
        while let first = last {
            last = try await pool.transaction(attempts: 3) { connection in
                try await SlotLock.take(startsAt, on: connection)
                let slot = PostgresSlot(startsAt: startsAt, connection: connection)
                return try await slot.tellEnd(after: first, count: endsAtOnce, at: now)
            }
        }
    }

    func transaction<Value: Sendable>(
        on startsAt: Timestamp, _ body: (any SlotTransaction) async throws -> Value
    ) async throws -> Value {
        try await pool.transaction(attempts: 3) { connection in
            try await SlotLock.take(startsAt, on: connection)
            return try await body(PostgresSlot(startsAt: startsAt, connection: connection))
        }
    }
}
