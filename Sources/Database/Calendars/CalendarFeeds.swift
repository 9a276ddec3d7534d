package import Contract
package import Postgres

/// The calendars of the accounts, and what calendar programs read there.
package enum CalendarFeeds {
    /// A registration as an event of a calendar.
    package struct Event: Equatable, Sendable {
        package var id: Identifier
        package var slot: SlotSpan
        package var task: String
        package var tag: String?
        package var createdAt: Timestamp
        package var updatedAt: Timestamp
        /// A number that grows by one with each change (RFC 5545 §3.8.7.4).
        package var sequence: Int64
        package var isCancelled: Bool
    }

    /// The most events of one calendar. Sessions that are registered and not over come first, then those that
    /// are over, then cancelled ones.
    package static let mostEvents = 2000

    private static let count = "SELECT count(*) FROM calendars WHERE user_id = $1"

    private static let insert = """
        INSERT INTO calendars (id, user_id, hash, created_at) VALUES ($1, $2, $3, $4)
        """

    private static let list = """
        SELECT id, created_at, last_read_at FROM calendars WHERE user_id = $1 ORDER BY created_at, id
        """

    private static let remove = "DELETE FROM calendars WHERE id = $1 AND user_id = $2"

    /// Returns the account of an address, and the time from which cancellations are shown there: a program
    /// that read the address before a cancellation still holds the session. One cancelled more than seven
    /// days before the last reading was shown as cancelled for a week of readings.
    ///
    /// A suspended account has no calendar to read.
    private static let find = """
        SELECT user_id, language,
            last_read_at IS NULL OR last_read_at < $2::timestamptz - interval '1 hour',
            CASE WHEN last_read_at IS NULL THEN $2::timestamptz
                ELSE greatest(
                    calendars.created_at, last_read_at - interval '7 days',
                    $2::timestamptz - interval '30 days') END
        FROM calendars JOIN accounts ON accounts.id = user_id
        WHERE hash = $1 AND NOT \(Suspensions.isInForce("accounts.id"))
        """

    private static let touch = """
        UPDATE calendars SET last_read_at = date_trunc('hour', $2::timestamptz, 'UTC') WHERE hash = $1
        """

    /// Returns the events since 30 days ago. A registration is cancelled before its slot ends, so one that
    /// was cancelled since then began since then, too, or less than a slot before.
    ///
    /// The seconds are what a calendar gave for registrations that have no number of changes.
    private static let events = """
        SELECT id, starts_at, ends_at, task, tag, created_at, updated_at,
            coalesce(
                change_count, greatest(0, ceil(extract(epoch FROM updated_at - created_at))))::bigint,
            cancelled_at IS NOT NULL
        FROM (
            SELECT *
            FROM registrations JOIN slots USING (starts_at)
            WHERE user_id = $1 AND ends_at > $2::timestamptz - interval '30 days'
                AND starts_at > $2::timestamptz - interval '31 days'
                AND (cancelled_at IS NULL OR cancelled_at > $4)
            ORDER BY cancelled_at IS NOT NULL, cancelled_at IS NULL AND ends_at <= $2,
                abs(extract(epoch FROM coalesce(cancelled_at, starts_at) - $2)), id
            LIMIT $3) AS event
        ORDER BY starts_at, id
        """

    /// Stores a new calendar. Throws an `APIError`: `limitReached` beyond `Limits.calendars`.
    package static func add(
        _ feed: CalendarFeed, _ secret: CalendarSecret, of user: Identifier, on connection: PostgresConnection
    ) async throws {
        try await connection.lockAccount(user)
        let count = try await connection.query(count, [user]).first?.decode(0, Int64.self) ?? 0
        guard count < Limits.calendars else {
            throw APIError(
                .limitReached,
                "You have \(count) calendars, which is as many as you may have. Remove one first.")
        }
        try await connection.query(insert, [feed.id, user, secret.hash, feed.createdAt])
    }

    /// Returns the calendars of a user, oldest first, without their addresses.
    package static func list(
        of user: Identifier, in database: PostgresPool
    ) async throws(PostgresError) -> [CalendarFeed] {
        try await database.query(list, [user], retrying: true)
            .read { CalendarFeed(id: $0, createdAt: $1, lastReadAt: $2) }
    }

    /// Removes a calendar, so that its address leads nowhere. Returns false if the user has none with that
    /// id.
    package static func remove(
        _ id: Identifier, of user: Identifier, in database: PostgresPool
    ) async throws(PostgresError) -> Bool {
        try await database.execute(remove, [id, user]) == 1
    }

    /// Returns the events at an address, in the order of their slots, and the language of the account, if it
    /// has chosen one; nil where there is no such calendar. `isRead` notes the time of the reading.
    package static func events(
        at secret: CalendarSecret, now: Timestamp, isRead: Bool, in database: PostgresPool
    ) async throws(PostgresError) -> (events: [Event], language: Language?)? {
        guard let found = try await database.query(find, [secret.hash, now], retrying: true).first else {
            return nil
        }
        let (user, language, isStale, since) = try found.decode(
            Identifier.self, String?.self, Bool.self, Timestamp.self)
        if isRead, isStale { _ = try await database.execute(touch, [secret.hash, now]) }
        let parameters: [any PostgresEncodable] = [user, now, Int64(mostEvents), since]
        let rows = try await database.query(self.events, parameters, retrying: true)
        let events = try rows.map { row throws(PostgresError) in
            Event(
                id: try row.decode(0), slot: SlotSpan(key: try row.decode(1), endsAt: try row.decode(2)),
                task: try row.decode(3), tag: try row.decode(4), createdAt: try row.decode(5),
                updatedAt: try row.decode(6), sequence: try row.decode(7), isCancelled: try row.decode(8))
        }
        return (events, language.flatMap(Language.init(rawValue:)))
    }
}
