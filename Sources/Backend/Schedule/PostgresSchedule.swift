import Contract
import Postgres

/// The schedule as PostgreSQL has it.
struct PostgresSchedule: ScheduleStore {
    let pool: PostgresPool
    /// This server, in `members.present_on`.
    let serverName: String
    /// Learns of an opening before it is committed.
    var feed: NotificationFeed?
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

    /// Nobody waits longer than that for the match to respect soft wishes.
    private static let wishTimeout = Duration.seconds(2)

    private static let markServed = """
        UPDATE slots SET served_at = $2 WHERE starts_at = $1 AND served_at IS NULL
        """

    /// Between slots nobody notes anything, so a silence counts from the first slot that ran meanwhile, where somebody
    /// had registered for it: who comes late to an empty slot has found a server. It ends at `$3`, when this server was up
    /// again; `$2`: a note that is older than that is from before a silence.
    private static let noteAlive = """
        WITH before AS (
            SELECT alive_at FROM service WHERE alive_at < $2
        ), outage AS (
            INSERT INTO outages (began_at, ended_at)
            SELECT greatest(min(starts_at), min(alive_at)), $3
            FROM before
            JOIN slots ON starts_at < $3 AND ends_at > alive_at + ($3 - $2)
            WHERE EXISTS (
                SELECT FROM registrations
                WHERE registrations.starts_at = slots.starts_at AND registrations.created_at < $2
                    AND cancelled_at IS NULL)
            HAVING greatest(min(starts_at), min(alive_at)) < $3
            ON CONFLICT DO NOTHING
        )
        INSERT INTO service (alive_at) VALUES ($1)
        ON CONFLICT (is_only) DO UPDATE SET alive_at = greatest(service.alive_at, excluded.alive_at)
        """

    private static let prolong = "UPDATE servers SET alive_at = clock_timestamp() WHERE name = $1"

    private static let arrive = """
        INSERT INTO servers (name, alive_at) VALUES ($1, clock_timestamp())
        ON CONFLICT (name) DO UPDATE SET alive_at = excluded.alive_at
        """

    /// Servers that have said nothing for longer than `$2` seconds, and who was present there: for so long they are away,
    /// at `$3` by the clock of this server.
    private static let release = """
        WITH gone AS (
            DELETE FROM servers
            WHERE name <> $1 AND alive_at < clock_timestamp() - make_interval(secs => $2)
            RETURNING name, $3::timestamptz - (clock_timestamp() - alive_at) AS since
        ) \(leave)
        """

    /// Only where the slot is open: of one that is over it means nothing any more, and there are many.
    private static let begin = """
        WITH gone AS (SELECT $1::text AS name, $2::timestamptz AS since) \(leave)
        """

    private static let resign = """
        WITH gone AS (DELETE FROM servers WHERE name = $1 RETURNING name, $2::timestamptz AS since) \(leave)
        """

    private static let leave = """
        UPDATE members SET present_on = NULL, away_since = gone.since
        FROM gone
        CROSS JOIN rooms
        JOIN slots ON slots.starts_at = rooms.starts_at AND closed_at IS NULL
        WHERE members.room_id = rooms.id AND members.present_on = gone.name
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

    func people(
        of startsAt: Timestamp, within limit: Duration
    ) async throws -> (people: [SlotPerson], ties: [SlotTie]) {
        try await pool.transaction(.repeatableRead, readOnly: true) { connection in
            // What a million people know of each other takes its time.
            let slot = PostgresSlot(
                startsAt: startsAt, connection: connection, budget: TimeBudget(limit))
            return (try await slot.arrivals(), try await slot.ties(of: nil))
        }
    }

    func serve(_ startsAt: Timestamp, at now: Timestamp) async throws {
        try await pool.execute(Self.markServed, [startsAt, now])
    }

    @discardableResult
    func noteAlive(
        at now: Timestamp, upSince: Timestamp, silence: Duration, releasing: Bool
    ) async throws -> AliveNote {
        try await pool.execute(Self.noteAlive, [now, upSince.adding(.zero - silence), upSince])
        let isKnown = try await pool.execute(Self.prolong, [serverName]) > 0
        if !isKnown { try await pool.execute(Self.arrive, [serverName]) }
        var released = 0
        if releasing { released = try await pool.execute(Self.release, [serverName, silence.seconds, now]) }
        return AliveNote(isNew: !isKnown, released: released)
    }

    /// This server starts: nobody is present on it yet, whoever was when it was killed, and the others know of it before
    /// anybody is.
    func begin(at now: Timestamp) async throws {
        try await pool.query(Self.begin, [serverName, now], retrying: true)
        try await pool.query(Self.arrive, [serverName], retrying: true)
    }

    /// This server ends: nobody is present on it any more.
    func resign(at now: Timestamp) async throws {
        try await pool.execute(Self.resign, [serverName, now])
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
        do {
            let value = try await pool.transaction(attempts: 3) { connection in
                // What an attempt before this one was about to tell never happened.
                await feed?.discard()
                try await SlotLock.take(startsAt, on: connection)
                return try await body(
                    PostgresSlot(
                        startsAt: startsAt, connection: connection, feed: feed, wishTimeout: Self.wishTimeout)
                )
            }
            await feed?.release()
            return value
        } catch {
            await feed?.discard()
            throw error
        }
    }
}
