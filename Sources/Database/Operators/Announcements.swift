package import Contract
package import Postgres

/// A message of an operator to people.
package struct Announcement: Sendable {
    package enum Audience: Equatable, Sendable {
        case everybody
        /// The people who are registered for the slot with that key.
        case slot(Timestamp)
        case person(Identifier)

        package var name: String {
            switch self {
            case .everybody: "everybody"
            case .slot: "slot"
            case .person: "person"
            }
        }
    }

    package var id: Int64
    package var at: Timestamp
    package var text: String
    package var audience: Audience
}

/// Writes announcements, and the notifications of the people that they are for.
package enum Announcements {
    /// The people who are told in one transaction: others that write notifications wait for it.
    static let atOnce: Int64 = 500

    /// The author of announcements that the service makes itself.
    static let serviceName = "letsswitch"

    private static let insert = """
        INSERT INTO announcements (at, operator, text, audience, starts_at, person, to_all_endpoints)
        VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id
        """

    /// Stores an announcement; `AnnouncementWorker` notifies its audience. One about the security of an
    /// account goes to all endpoints that are not disabled, whatever `types` they ask for.
    package static func add(
        _ text: String, to audience: Announcement.Audience, isAboutSecurity: Bool = false,
        by operatorName: String, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Int64 {
        var slot: Timestamp?
        var person: Identifier?
        switch audience {
        case .everybody: break
        case .slot(let key): slot = key
        case .person(let id): person = id
        }
        return try await connection.query(
            insert, [now, operatorName, text, audience.name, slot, person, isAboutSecurity]
        ).first?.decode(0) ?? 0
    }

    private static let object = """
        json_build_object(
            'id', id, 'at', \(DeskRows.time("at")), 'operator', operator, 'text', text, 'audience', audience,
            'slot', \(DeskRows.key("starts_at")), 'personId', person, 'people', people,
            'isDone', done_at IS NOT NULL)::text
        """

    /// The condition that an announcement is not for a deleted account.
    private static let isShown =
        "(person IS NULL OR EXISTS (SELECT FROM accounts WHERE accounts.id = person))"

    /// Selects a page of announcements, the newest first. Parameters: `$1` cursor, `$2` number of rows.
    package static let list = """
        SELECT \(object), id::text FROM announcements WHERE id < $1 AND \(isShown) ORDER BY id DESC LIMIT $2
        """

    /// Selects announcement `$1`.
    package static let one = "SELECT \(object) FROM announcements WHERE id = $1 AND \(isShown)"

    private static let read = "SELECT at, text, audience, starts_at, person FROM announcements WHERE id = $1"

    /// Returns an announcement, for those who are in rooms; nil where there is none.
    package static func read(
        _ id: Int64, in pool: PostgresPool
    ) async throws(PostgresError) -> Announcement? {
        guard let row = try await pool.query(read, [id], retrying: true).first else { return nil }
        let (at, text, name, slot, person) = try row.decode(
            Timestamp.self, String.self, String.self, Timestamp?.self, Identifier?.self)
        let audience: Announcement.Audience? =
            switch name {
            case "everybody": .everybody
            case "slot": slot.map { .slot($0) }
            default: person.map { .person($0) }
            }
        return audience.map { Announcement(id: id, at: at, text: text, audience: $0) }
    }

    // Telling people.

    private static let next = """
        SELECT id, at, audience, starts_at, person, reached FROM announcements
        WHERE done_at IS NULL ORDER BY audience = 'everybody', id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
        """

    private static let allPeople = """
        SELECT id FROM accounts WHERE ($2::uuid IS NULL OR id > $2) AND created_at <= $1 ORDER BY id LIMIT $3
        """

    private static let ofSlot = """
        SELECT DISTINCT user_id FROM registrations
        WHERE starts_at = $1 AND cancelled_at IS NULL AND user_id IS NOT NULL
            AND ($2::uuid IS NULL OR user_id > $2)
        ORDER BY user_id LIMIT $3
        """

    private static let tell = """
        INSERT INTO notifications (user_id, type, created_at, announcement_id)
        SELECT id, 'announcement', $1, $2 FROM accounts WHERE id = ANY($3::uuid[])
        ON CONFLICT DO NOTHING
        """

    private static let settle = """
        UPDATE announcements SET reached = coalesce($2::uuid, reached), people = people + $3,
            done_at = CASE WHEN $4 THEN $5::timestamptz END
        WHERE id = $1
        """

    /// Notifies the next people of the oldest pending announcement; those with audience `everybody` come
    /// last. Returns the number of people who were notified; nil if no announcement is pending.
    static func step(at now: Timestamp, in pool: PostgresPool) async throws -> Int? {
        try await pool.transaction(attempts: 3) { connection in
            guard let row = try await connection.query(next).first else { return nil }
            let (id, at, audience, slot, person, reached) = try row.decode(
                Int64.self, Timestamp.self, String.self, Timestamp?.self, Identifier?.self, Identifier?.self)
            let rows: PostgresRows
            switch audience {
            case "everybody": rows = try await connection.query(allPeople, [at, reached, atOnce])
            case "slot": rows = try await connection.query(ofSlot, [slot, reached, atOnce])
            default: rows = try await connection.query("SELECT $1::uuid", [person])
            }
            let people: [Identifier] = try rows.column()
            let isLast = audience == "person" || people.count < Int(atOnce)
            var told = 0
            if !people.isEmpty {
                try await NotificationWriter.lock(on: connection)
                told = try await connection.execute(tell, [now, id, people])
            }
            try await connection.query(settle, [id, people.last, Int64(told), isLast, now])
            return told
        }
    }

    private static let forget = """
        WITH old AS (
            SELECT id FROM announcements WHERE at < $1 AND done_at IS NOT NULL ORDER BY id LIMIT 1
        ), untold AS (
            DELETE FROM notifications WHERE id IN (
                SELECT notifications.id FROM notifications JOIN old ON announcement_id = old.id LIMIT 1000)
            RETURNING announcement_id
        )
        SELECT old.id, (SELECT count(*) FROM untold) FROM old
        """

    private static let remove = "DELETE FROM announcements WHERE id = $1"

    /// Removes announcements from before a time, with their notifications, some at once. Returns whether
    /// there may be more.
    static func forget(before time: Timestamp, in pool: PostgresPool) async throws -> Bool {
        try await pool.transaction { connection in
            guard let row = try await connection.query(forget, [time]).first else { return false }
            let (id, count) = try row.decode(Int64.self, Int64.self)
            if count == 0 { try await connection.query(remove, [id]) }
            return true
        }
    }
}
