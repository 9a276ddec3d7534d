import Contract
import Postgres
import Scheduling

/// A slot inside a transaction that holds its lock.
struct PostgresSlot: SlotTransaction {
    package let startsAt: Timestamp
    package let connection: PostgresConnection
    package var feed: NotificationFeed?
    /// The timeout for reading preferences; nil for that of any statement.
    var preferenceTimeout: Duration?
    /// The time for all reading; nil for each statement's own timeout.
    var budget: TimeBudget?
    /// The most rooms of a slot that come into question. Of more rooms, only those with the fewest people do.
    var candidates: Int64 = 5_000
    /// The number of people who are told how the slot went in one transaction.
    var endsAtOnce: Int64 = 2_500
    /// The process that makes the rooms; nil if they have no owners yet.
    var incarnation: Identifier?
    /// A function that is told of the transaction's changes, of which other servers hear once it has
    /// committed.
    package var changed: @Sendable (ChangeEvent) -> Void = { _ in }

    private static let readSlot = """
        SELECT ends_at, opened_at IS NOT NULL, closed_at IS NOT NULL, leased_by, leased_until
        FROM slots WHERE starts_at = $1
        """

    /// The number of people who are read at once.
    private static let page = 50_000

    private static let many = 5_000
    private static let idleForMany = Duration.seconds(60)

    /// Returns SQL for people: the registration, its user and tag, when the user was last alone in a session,
    /// whether that was the last session they had, their intent, and further columns.
    static func selectPeople(_ columns: String = "") -> String {
        """
        SELECT registrations.id, user_id, tag, coalesce(alone.starts_at, past.alone_at),
            coalesce(alone.starts_at, past.alone_at) IS NOT NULL AND NOT EXISTS (
                SELECT FROM registrations AS later
                JOIN members ON members.registration_id = later.id AND members.left_revision IS NULL
                WHERE later.user_id = registrations.user_id
                    AND later.starts_at > coalesce(alone.starts_at, past.alone_at) AND later.starts_at < $1)
                AND (alone.starts_at IS NOT NULL OR coalesce(past.seated_at <= past.alone_at, true)),
            coalesce(favourites_only, false), invited_by\(columns)
        FROM registrations
        LEFT JOIN (
            SELECT user_id, max(starts_at) AS starts_at FROM left_alone WHERE starts_at < $1 GROUP BY user_id
        ) AS alone USING (user_id)
        LEFT JOIN past_sums AS past USING (user_id)
        LEFT JOIN intents ON intents.registration_id = registrations.id
        """
    }

    static func readPerson(_ row: PostgresRow) throws(PostgresError) -> SlotPerson {
        SlotPerson(
            registration: try row.decode(0), user: try row.decode(1), tag: try row.decode(2),
            aloneAt: try row.decode(3), wasAloneLast: try row.decode(4),
            intent: SlotIntent(favouritesOnly: try row.decode(5), invitedBy: try row.decode(6)))
    }

    private static let readArrivals = """
        \(selectPeople())
        WHERE registrations.starts_at = $1 AND cancelled_at IS NULL AND user_id IS NOT NULL
            AND NOT EXISTS (
                SELECT FROM members WHERE registration_id = registrations.id AND left_revision IS NULL)
            AND id > $2
        ORDER BY id
        LIMIT $3
        """

    /// Selects the members. A member who went away before `$3` is not waited for. A room without any other
    /// member has no partner to offer, and a room that an operator has closed takes no members.
    private static let readMembers = """
        WITH candidates AS (
            SELECT rooms.id, rooms.opened_at
            FROM rooms
            JOIN members ON room_id = rooms.id AND left_revision IS NULL
            WHERE starts_at = $1 AND closed_early_at IS NULL
            GROUP BY rooms.id
            ORDER BY nullif(
                count(*) FILTER (
                    WHERE present_on IS NOT NULL
                        OR greatest(rooms.starts_at, coalesce(away_since, rooms.opened_at))
                            > coalesce($3, '-infinity')), 0),
                count(*), rooms.id
            LIMIT $2
        )
        SELECT room_id, registrations.id, user_id, tag, entered_at IS NOT NULL, present_on IS NOT NULL,
            CASE WHEN present_on IS NULL THEN coalesce(away_since, candidates.opened_at) END,
            coalesce(favourites_only, false), invited_by
        FROM candidates
        JOIN members ON members.room_id = candidates.id AND left_revision IS NULL
        JOIN registrations ON registrations.id = members.registration_id
        LEFT JOIN intents ON intents.registration_id = registrations.id
        WHERE user_id IS NOT NULL
        ORDER BY candidates.opened_at, room_id, registrations.id
        """

    package func slot() async throws -> SlotRecord? {
        guard let row = try await connection.query(Self.readSlot, [startsAt]).first else { return nil }
        let (endsAt, isOpened, isClosed, holder, until) = try row.decode(
            Timestamp.self, Bool.self, Bool.self, String?.self, Timestamp?.self)
        var slot = SlotRecord(endsAt: endsAt, isOpened: isOpened, isClosed: isClosed)
        if let holder, let until { slot.lease = SlotLease(holder: holder, until: until) }
        return slot
    }

    func arrivals() async throws -> [SlotPerson] {
        var people: [SlotPerson] = []
        var last = Identifier(value: 0)
        while true {
            let rows = try await connection.query(
                Self.readArrivals, [startsAt, last, Int64(Self.page)], within: budget)
            for row in rows {
                let person = try Self.readPerson(row)
                people.append(person)
                last = person.registration
            }
            if rows.count < Self.page { break }
        }
        // The matching of many people takes its time.
        if people.count > Self.many { try await SlotLock.allow(idle: Self.idleForMany, on: connection) }
        return people
    }

    package func blocks() async throws -> [SlotEdge] {
        try await PostgresSlotEdges(startsAt: startsAt, connection: connection)
            .read(.block, "blocks", of: nil)
    }

    func edges(of some: [Identifier]?) async throws -> [SlotEdge] {
        var edges = PostgresSlotEdges(startsAt: startsAt, connection: connection, budget: budget)
        guard let preferenceTimeout else { return try await edges.all(of: some) }
        edges.budget = TimeBudget(preferenceTimeout)
        do {
            return try await edges.all(of: some)
        } catch let error as PostgresError {
            if error.sqlState == .queryCanceled || error.sqlState == .lockNotAvailable {
                throw PreferencesTakeTooLong()
            }
            throw error
        }
    }

    package func members(awayAfter limit: Timestamp?) async throws -> [SlotMember] {
        let rows = try await connection.query(Self.readMembers, [startsAt, candidates, limit])
        return try rows.map { row throws(PostgresError) in
            SlotMember(
                room: try row.decode(0), registration: try row.decode(1), user: try row.decode(2),
                tag: try row.decode(3), hasEntered: try row.decode(4), isPresent: try row.decode(5),
                awaySince: try row.decode(6),
                intent: SlotIntent(favouritesOnly: try row.decode(7), invitedBy: try row.decode(8)))
        }
    }
}
