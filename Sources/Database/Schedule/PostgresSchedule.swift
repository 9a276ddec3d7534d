package import Contract
package import Postgres
import Reactor
package import Scheduling

/// The schedule as PostgreSQL has it.
package struct PostgresSchedule: ScheduleStore {
    package let pool: PostgresPool
    /// The name of this process in `members.present_on`: its incarnation. Rooms have no owners where it is
    /// anything else.
    package let serverName: String
    /// The label that successive processes of one server have in common: its host and address. Other servers
    /// may have the same one.
    package var label = ""
    /// The id of the machine's last start; nil if it is not known.
    package var boot: Identifier?
    /// The feed that learns of an opening before it is committed.
    package var feed: NotificationFeed?
    /// A function that is told of a transaction's changes after the commit: for this server and the others.
    package var changed: @Sendable (ChangeEvent) -> Void = { _ in }
    /// A function that is told of a transaction's changes after the commit, for the other servers alone.
    package var tellOthers: @Sendable (ChangeEvent) -> Void = { _ in }
    /// The number of people of one slot who are told how it went in one transaction: other writers of
    /// notifications wait for it.
    var endsAtOnce: Int64 = 2_500
    /// The time for which this server has to be connected before its notes release servers that have lapsed.
    var steadiness = Duration.seconds(10)

    package init(
        pool: PostgresPool, serverName: String, label: String = "", boot: Identifier? = nil,
        feed: NotificationFeed? = nil,
        changed: @escaping @Sendable (ChangeEvent) -> Void = { _ in },
        tellOthers: @escaping @Sendable (ChangeEvent) -> Void = { _ in }, endsAtOnce: Int64 = 2_500
    ) {
        self.pool = pool
        self.serverName = serverName
        self.label = label
        self.boot = boot
        self.feed = feed
        self.changed = changed
        self.tellOthers = tellOthers
        self.endsAtOnce = endsAtOnce
    }

    private static let readAgenda = """
        SELECT starts_at, ends_at, opened_at IS NOT NULL, served_at IS NOT NULL,
            opened_at IS NOT NULL AND EXISTS (
                SELECT FROM registrations
                WHERE registrations.starts_at = slots.starts_at AND cancelled_at IS NULL
                    AND user_id IS NOT NULL
                    AND NOT EXISTS (
                        SELECT FROM members WHERE registration_id = registrations.id
                            AND left_revision IS NULL))
        FROM slots WHERE closed_at IS NULL
        """

    /// The longest time that people wait for the match to respect preferences.
    private static let preferenceTimeout = Duration.seconds(2)

    private static let markServed = """
        UPDATE slots SET served_at = $2 WHERE starts_at = $1 AND served_at IS NULL
        """

    /// Notes that a server is up, and stores an outage. Between slots no server notes anything, so a silence
    /// counts from the first slot with registrations that ran during it: a user who comes late to an empty
    /// slot has found a server. It ends at `$3`, when this server was up again; a note that is older than
    /// `$2` is from before a silence.
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

    /// Notes that the server is up. A row without a label was written by a renewal of the lease, after
    /// others had removed the row before it.
    private static let prolong = """
        UPDATE servers SET alive_at = clock_timestamp() WHERE name = $1 AND label IS NOT NULL
        """

    /// Makes the server known. A new row has a lease that is past: the server has not renewed it yet, and
    /// gets no rooms.
    private static let arrive = """
        INSERT INTO servers (name, alive_at, label, boot, alive_until)
        VALUES ($1, clock_timestamp(), $2, $3, clock_timestamp())
        ON CONFLICT (name) DO UPDATE SET alive_at = excluded.alive_at, label = excluded.label
        """

    /// An SQL condition: the process has ended or is cut off, since its lease expired long ago and its lock
    /// is free.
    private static let hasLapsed = """
        (alive_until < clock_timestamp() - interval '10 seconds' AND \(ServerLife.isOver("name")))
        """

    /// Removes servers that have been silent for longer than `$2` seconds, or have lapsed, and releases the
    /// members who were present there: they have been away for so long, at `$3` by the clock of this server.
    /// A server that has no note but a lease is only slow. After an outage of the database the others need
    /// time to renew: what has lapsed counts once this server has been connected for as long.
    private static let release = """
        WITH gone AS (
            DELETE FROM servers
            WHERE name <> $1 AND (
                alive_at < clock_timestamp() - make_interval(secs => $2)
                    AND (alive_until IS NULL OR alive_until < clock_timestamp())
                OR \(hasLapsed) AND \(ServerLife.isSteady("$1", for: "$4")))
            RETURNING name, \(lastSign(at: "$3")) AS since
        ) \(leave)
        """

    private static let releaseLapsed = """
        WITH gone AS (
            DELETE FROM servers WHERE name <> $1 AND \(hasLapsed)
            RETURNING name, \(lastSign(at: "$2")) AS since
        ) \(leave)
        """

    /// Returns an SQL expression: the last instant at which the server was surely up, where `now` is the time
    /// of this server.
    private static func lastSign(at now: String) -> String {
        """
        \(now)::timestamptz - (clock_timestamp() - greatest(alive_at, alive_until - interval '5 seconds'))
        """
    }

    /// Removes earlier processes with the same label that have ended: each live one holds a lock, which ends
    /// with its connection. The lock of a live one on another machine may be free for a moment, while it
    /// reconnects: it is removed only once its lease has expired. The version before had the label for a
    /// name, and no lock.
    private static let begin = """
        WITH gone AS (
            DELETE FROM servers
            WHERE name <> $1 AND (name = $2 OR label = $2
                AND (boot IS NULL OR boot = $4 OR alive_until < clock_timestamp())
                AND \(ServerLife.isOver("name")))
            RETURNING name, $3::timestamptz AS since
        ) \(leave)
        """

    private static let resign = """
        WITH gone AS (DELETE FROM servers WHERE name = $1 RETURNING name, $2::timestamptz AS since) \(leave)
        """

    /// Deletes the last batches of servers that are gone. One that was only cut off may come back, and ask
    /// whether its batch was stored: it has a day for that.
    private static let forgetBatches = """
        DELETE FROM count_batches
        WHERE stored_at < now() - interval '1 day' AND NOT EXISTS (SELECT FROM servers WHERE name = server)
        """

    /// Returns SQL that, run on a connection of the process, says that the process lives for as long as that
    /// connection does.
    package static func holdLife(of incarnation: Identifier) -> String {
        ServerLife.hold(incarnation)
    }

    /// Marks members as away, in slots that are not closed only: in a closed one it means nothing any more,
    /// and there are many. They are locked in the common order of all transactions that lock many members.
    private static let leave = """
        , away AS (
            SELECT room_id, registration_id, joined_revision, gone.since
            FROM gone
            JOIN members ON members.present_on = gone.name
            JOIN rooms ON rooms.id = members.room_id
            JOIN slots ON slots.starts_at = rooms.starts_at AND closed_at IS NULL
            ORDER BY \(MemberOrder.columns) FOR NO KEY UPDATE OF members
        )
        UPDATE members SET present_on = NULL, away_since = away.since
        FROM away
        WHERE members.room_id = away.room_id AND members.registration_id = away.registration_id
            AND members.joined_revision = away.joined_revision
        """

    package func agenda() async throws -> [AgendaEntry] {
        try await pool.query(Self.readAgenda, retrying: true)
            .read(AgendaEntry.init(startsAt:endsAt:isOpened:isServed:hasLateArrivals:))
    }

    package func people(
        of startsAt: Timestamp, within limit: Duration
    ) async throws -> (people: [SlotPerson], edges: [SlotEdge]) {
        try await pool.transaction(.repeatableRead, readOnly: true) { connection in
            // The preferences of a million people take their time to read.
            let slot = PostgresSlot(
                startsAt: startsAt, connection: connection, budget: TimeBudget(limit))
            return (try await slot.arrivals(), try await slot.edges(of: nil))
        }
    }

    package func serve(_ startsAt: Timestamp, at now: Timestamp) async throws {
        try await pool.execute(Self.markServed, [startsAt, now])
    }

    @discardableResult
    package func noteAlive(
        at now: Timestamp, upSince: Timestamp, silence: Duration, releasing: Bool
    ) async throws -> AliveNote {
        try await pool.execute(Self.noteAlive, [now, upSince.adding(.zero - silence), upSince])
        let isKnown = try await pool.execute(Self.prolong, [serverName]) > 0
        if !isKnown { try await pool.execute(Self.arrive, [serverName, label, boot]) }
        var released = 0
        if releasing {
            released = try await pool.execute(
                Self.release, [serverName, silence.inSeconds, now, steadiness.inSeconds])
            try await pool.execute(Self.forgetBatches)
        }
        return AliveNote(isNew: !isKnown, released: released)
    }

    /// Notes that this server starts. No member is present on it yet, not even those of the previous process,
    /// and the other servers know of it before any member is.
    package func begin(at now: Timestamp) async throws {
        try await pool.query(Self.begin, [serverName, label, now, boot], retrying: true)
        try await pool.query(Self.arrive, [serverName, label, boot], retrying: true)
    }

    /// Removes servers whose lease has been past for ten seconds and whose lock is free, and returns the
    /// number of members that were released. The caller has itself been in touch with the database for so
    /// long: after an outage the others need time to renew.
    package func releaseLapsed(at now: Timestamp) async throws -> Int {
        try await pool.execute(Self.releaseLapsed, [serverName, now])
    }

    /// Notes that this server ends: no member is present on it any more.
    package func resign(at now: Timestamp) async throws {
        try await pool.execute(Self.resign, [serverName, now])
    }

    /// Announces the changes of the body's transaction once it is committed, or if its outcome is unknown. An
    /// attempt that was rolled back may be announced too: a reader then finds nothing new.
    private func tellingAfterwards<Value>(
        _ body: (@escaping @Sendable (ChangeEvent) -> Void) async throws -> Value
    ) async throws -> Value {
        let changes = Lock(PendingChanges())
        do {
            let value = try await body { changeEvent in changes.withLock { $0.insert(changeEvent) } }
            // The caller that asked for the transaction reads the rooms again here.
            for changeEvent in changes.withLock({ $0.changeEvents }) {
                if changeEvent == .notifications { changed(changeEvent) } else { tellOthers(changeEvent) }
            }
            return value
        } catch let error as PostgresError {
            guard case .commitUnknown = error else { throw error }
            for changeEvent in changes.withLock({ $0.changeEvents }) {
                // This process has not read those rooms.
                if case .opened(let slot, _) = changeEvent {
                    changed(.opened(slot, by: ChangeEvent.noProcess))
                } else {
                    changed(changeEvent)
                }
            }
            throw error
        }
    }

    package func transaction<Value: Sendable>(
        on startsAt: Timestamp, _ body: (any SlotTransaction) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await tellingAfterwards { changed in
                try await pool.transaction(attempts: 3) { connection in
                    // The draft of an earlier attempt is dropped, since that attempt did not commit.
                    await feed?.drop(startsAt)
                    try await SlotLock.take(startsAt, on: connection)
                    return try await body(
                        PostgresSlot(
                            startsAt: startsAt, connection: connection, feed: feed,
                            preferenceTimeout: Self.preferenceTimeout, endsAtOnce: endsAtOnce,
                            incarnation: Identifier(serverName), changed: changed))
                }
            }
            await feed?.publish(startsAt)
            return value
        } catch {
            await feed?.drop(startsAt)
            throw error
        }
    }
}
