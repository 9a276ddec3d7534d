import Contract
import Postgres

/// The promises to each person, as far as servers were up to keep them.
extension SiegeCheck {
    /// The uptime without a break after which a server has noted that the slot ran, and has matched all
    /// people who were registered, however often something had failed before.
    private static let timeToMatch = Duration.seconds(4)
    /// The uptime in which an entry is stored: usually a second, more on a busy machine and where statements
    /// fail.
    private static let timeToStore = Duration.seconds(3)
    /// The uptime after which a delivery that a killed server had claimed is delivered: it is free after four
    /// seconds.
    private static let timeToDeliver = Duration.seconds(7)

    // Lapses.

    private static let unserved = """
        SELECT (extract(epoch FROM starts_at) * 1e6)::int8, (extract(epoch FROM ends_at) * 1e6)::int8,
            (SELECT (extract(epoch FROM min(created_at)) * 1e6)::int8 FROM registrations
                WHERE registrations.starts_at = slots.starts_at)
        FROM slots
        WHERE served_at IS NULL AND EXISTS (
            SELECT FROM notifications JOIN registrations ON registrations.id = registration_id
            WHERE registrations.starts_at = slots.starts_at AND type = 'session.lapsed')
        """

    /// Finds slots that count as if no server had been up, although one was, after a person had registered: a
    /// slot without registrations is in no agenda.
    func lapses() async throws -> [String] {
        var found: [String] = []
        for row in try await query(Self.unserved) {
            let (begin, end, first) = (
                try Self.instant(row, 0), try Self.instant(row, 1), try Self.instant(row, 2)
            )
            let up = uptime.longest(from: max(begin, first), to: end)
            if up >= Self.timeToMatch { found.append("slot \(begin) lapsed, and a server was up for \(up)") }
        }
        return found
    }

    func lapse(of person: BesiegedPerson) -> [String] {
        let ledger = person.ledger
        guard ledger.told.contains(where: { $0.type == "session.lapsed" }), let since = ledger.acknowledgedAt
        else { return [] }
        let up = uptime.longest(from: max(since, person.opensAt), to: person.endsAt)
        return up >= Self.timeToMatch
            ? ["\(person.description): lapsed, and a server was up for \(up) after the registration"] : []
    }

    /// Finds a missed session of a person that a server let into the room, if that server then lived long
    /// enough to store it.
    func entries(of person: BesiegedPerson) -> [String] {
        let ledger = person.ledger
        guard !ledger.hasTriedToCancel,
            let end = ledger.told.first(where: { $0.type.hasPrefix("session.") })?.type,
            end != "session.completed"
        else { return [] }
        let stored = ledger.handshakes.first { handshake in
            let limit = handshake.at.adding(Self.timeToStore)
            return limit <= person.endsAt
                && uptime.wasUp(handshake.server, from: handshake.at, to: limit)
        }
        return stored.map { ["\(person.description): was in the room at \($0.at), and was told \(end)"] }
            ?? []
    }

    // Outcomes.

    private static let outcome = "SELECT outcome FROM session_words WHERE registration_id = $1::text::uuid"

    /// Finds an outcome that was acknowledged and is lost.
    func outcome(of person: BesiegedPerson) async throws -> [String] {
        guard let id = person.ledger.registration, let said = person.ledger.outcome else { return [] }
        let stored = try await query(Self.outcome, ["\(id)"]).first?.decode(0, String?.self)
        return stored == said.rawValue ? [] : ["\(person.description): said \(said), which is not stored"]
    }

    // Blocks.

    private static let together = """
        SELECT count(*) FROM members AS one
        JOIN members AS other USING (room_id)
        JOIN registrations AS mine ON mine.id = one.registration_id
        JOIN registrations AS theirs ON theirs.id = other.registration_id
        WHERE mine.user_id = $1::text::uuid AND theirs.user_id = $2::text::uuid
            AND mine.created_at > now() - interval '1 day'
            AND one.joined_revision < coalesce(other.left_revision, 2147483647)
            AND other.joined_revision < coalesce(one.left_revision, 2147483647)
        """

    func meetings(of account: Person, _ enemy: Identifier, _ who: String) async throws -> [String] {
        let rooms = try await query(Self.together, ["\(account.user.id)", "\(enemy)"])[0].decode(
            0, Int64.self)
        return rooms == 0 ? [] : ["\(who): met \(enemy), with a block between them"]
    }

    // Deletions.

    private static let columns = """
        SELECT conrelid::regclass::text, attname::text FROM pg_constraint
        JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE contype = 'f' AND confrelid = 'users'::regclass
        UNION VALUES ('users', 'id')
        """

    private static let text = """
        SELECT count(*) FROM registrations
        WHERE id = $1::text::uuid AND (user_id IS NOT NULL OR task IS NOT NULL OR tag IS NOT NULL)
        """

    /// Finds everything that still names an account whose deletion was acknowledged.
    func remains(of account: Person, _ who: String, _ registration: Identifier?) async throws -> [String] {
        var found: [String] = []
        for row in try await query(Self.columns) {
            let (table, column) = try row.decode(String.self, String.self)
            let sql = "SELECT count(*) FROM \(table) WHERE \(column) = $1::text::uuid"
            let rows = try await query(sql, ["\(account.user.id)"])[0].decode(0, Int64.self)
            if rows > 0 { found.append("\(who): was deleted, and is in \(table).\(column)") }
        }
        if let registration,
            try await query(Self.text, ["\(registration)"])[0].decode(0, Int64.self) > 0
        {
            found.append("\(who): was deleted, and registration \(registration) says what the task was")
        }
        return found
    }

    // Deliveries.

    private static let deliveries = """
        SELECT notifications.id, type, deliveries.id, outcome,
            (extract(epoch FROM notifications.created_at) * 1e6)::int8,
            (extract(epoch FROM coalesce(expires_at, 'epoch')) * 1e6)::int8,
            expires_at <= settled_at
        FROM notifications
        LEFT JOIN deliveries ON notification_id = notifications.id
        WHERE user_id = $1::text::uuid AND notifications.created_at > to_timestamp($2::float8)
        """

    /// Checks that the webhook got everything at least once, under one id each, but for what had expired.
    func checkDeliveries(
        to person: BesiegedPerson, _ account: Person, _ since: Timestamp
    ) async throws -> [String] {
        let parameters: [any PostgresEncodable] = ["\(account.user.id)", Double(since.microseconds) / 1e6]
        return try await query(Self.deliveries, parameters).compactMap { row in
            let (notification, type, delivery, outcome) = try row.decode(
                Int64.self, String.self, Int64?.self, String?.self)
            let heard = delivery.flatMap { receiver.type(of: "msg_\($0)") }
            if outcome == "delivered" && heard == type { return nil }
            // `verify` finds one that no later delivery has replaced.
            if outcome == "superseded" && type == "room.changed" { return nil }
            if outcome == "expired", try hasExpired(row) { return nil }
            return "\(person.description), endpoint since \(since): \(type), notification \(notification) of "
                + "\(try Self.instant(row, 4)), delivery "
                + "\(delivery.map { "\($0)" } ?? "none"), is \(outcome ?? "waiting"), "
                + "heard: \(heard ?? "nothing")"
        }
    }

    /// Whether the delivery was given up only when it had expired, and could not have been delivered before.
    ///
    /// A failing statement costs a server up to the time-out of its database, and several may fail in a row:
    /// then it has said so in its log.
    private func hasExpired(_ row: PostgresRow) throws -> Bool {
        guard try row.decode(6, Bool?.self) == true else { return false }
        let (createdAt, expiresAt) = (try Self.instant(row, 4), try Self.instant(row, 5))
        if uptime.hasWarned(of: "deliver", from: createdAt, to: expiresAt) { return true }
        return uptime.longest(from: createdAt, to: expiresAt) < Self.timeToDeliver
    }

    private static func instant(_ row: PostgresRow, _ column: Int) throws -> Timestamp {
        Timestamp(microseconds: try row.decode(column, Int64.self))
    }
}
