import Contract
import Database
import Postgres
import PostgresTesting
import TestKit

/// The invariants after a siege, whatever happened during it: read from the database, and from the people's
/// notifications.
struct SiegeCheck: Sendable {
    /// The longest wait: beyond it something is wrong, however busy the machine is.
    private static let longest = Duration.seconds(120)
    /// The time limit for the database to reach an expected state.
    var patience = longest
    private static let connections = Permits(count: 10)

    let crowd: [BesiegedPerson]
    let receiver: WebhookReceiver
    let configuration: PostgresConfiguration
    let uptime: Uptime

    /// Waits until every slot is closed and all people have received everything; returns the violations.
    func violations() async -> [String] {
        do {
            var found: [String] = []
            for person in crowd where try await !reach(within: Self.longest, { person.hasPlayed }) {
                found.append("\(person.description): got no answer")
            }
            if try await !reach({ try await count(Self.unfinished) == 0 }) {
                found.append("a slot was not closed")
            }
            if try await !reach({ try await count(Self.undelivered) == 0 }) {
                for row in try await query(Self.waiting) {
                    found.append("delivery \(try row.decode(0, String.self)) was not settled")
                }
            }
            // An account that is not removed within this time is found below, by what is left of it.
            _ = try await reach { try await count(Self.deleted) == 0 }
            found += try await rules()
            found += try await lapses()
            found += try await accounts()
            return try await withThrowingTaskGroup(of: [String].self) { group in
                for person in crowd { group.addTask { try await check(person) } }
                for try await more in group { found += more }
                return found
            }
        } catch {
            return ["the check itself failed: \(error)"]
        }
    }

    private static let unfinished = "SELECT count(*) FROM slots WHERE closed_at IS NULL"

    private static let deleted = "SELECT count(*) FROM users WHERE deleted_at IS NOT NULL"

    private static let undelivered = "SELECT count(*) FROM deliveries WHERE settled_at IS NULL"

    private static let waiting = """
        SELECT concat_ws(' ', deliveries.id, coalesce(type, 'test'), 'attempts', attempts, 'due', due_at,
            'expires',
            expires_at, 'claimed by', couriers.name, 'alive until', alive_until, 'now', now())
        FROM deliveries
        LEFT JOIN notifications ON notifications.id = notification_id
        LEFT JOIN couriers ON couriers.name = courier
        WHERE settled_at IS NULL
        """

    /// The rooms of these slots are for two, and three where one would be left over.
    private static let crowded = """
        SELECT room_id::text FROM members
        -- A later arrival may find more, if some of them were not there when it came.
        WHERE joined_revision = 1
        GROUP BY room_id HAVING count(*) > 3
        """

    /// Finds what breaks the promises that `letsswitch-server verify` checks.
    private func rules() async throws -> [String] {
        let report = try await Self.connections.with {
            try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
                try await PromiseReport.make(on: connection)
            }
        }
        var found = report.broken.flatMap { line in
            line.examples.map { "\($0) breaks \(line.name): \(line.text)" }
        }
        for row in try await query(Self.crowded) {
            found.append("room \(try row.decode(0, String.self)) has too many")
        }
        return found
    }

    /// Finds accounts without an answer to any person. A person without any answer may have one.
    private func accounts() async throws -> [String] {
        let known = Set(crowd.compactMap { $0.person.map { "\($0.user.id)" } })
        if crowd.contains(where: { $0.person == nil }) { return [] }
        return try await query("SELECT id::text, name FROM users").compactMap { row in
            let (id, name) = try row.decode(String.self, String.self)
            return known.contains(id) ? nil : "the account of \(name), \(id), was made when it came again"
        }
    }

    // One person.

    private static let told = """
        SELECT id, type FROM notifications WHERE user_id = $1::text::uuid ORDER BY id
        """

    private static let registrations = """
        SELECT id::text, cancelled_at IS NOT NULL, EXISTS (
            SELECT FROM notifications AS lapse
            JOIN registrations AS other ON other.starts_at = registrations.starts_at
            JOIN notifications AS opened ON opened.registration_id = other.id AND opened.type = 'room.opened'
            WHERE lapse.registration_id = registrations.id AND lapse.type = 'session.lapsed'
                AND opened.created_at > to_timestamp($2::float8)
                AND NOT EXISTS (SELECT FROM members WHERE registration_id = registrations.id))
        FROM registrations WHERE user_id = $1::text::uuid
        """

    private static let ales = """
        SELECT coalesce(sum(ales_sent), 0)::int8 FROM members
        JOIN registrations ON registrations.id = registration_id WHERE user_id = $1::text::uuid
        """

    private func check(_ person: BesiegedPerson) async throws -> [String] {
        let who = person.description
        guard let account = person.person else { return [] }
        let ledger = person.ledger
        var found = ledger.contradictions.map { "\(who): \($0)" }
        if ledger.hasLeft { return found + (try await remains(of: account, who, ledger.registration)) }
        if ledger.hasTriedToLeave { return found }
        found += lapse(of: person) + entries(of: person)
        found += try await outcome(of: person)
        if let enemy = ledger.enemy { found += try await meetings(of: account, enemy, who) }
        let acknowledged = ledger.acknowledgedAt?.microseconds ?? Int64.max / 2
        let rows = try await query(Self.registrations, ["\(account.user.id)", Double(acknowledged) / 1e6])
        var live = 0
        for row in rows {
            let (id, isCancelled, wasPassedOver) = try row.decode(String.self, Bool.self, Bool.self)
            if !isCancelled { live += 1 }
            if id == ledger.registration.map({ "\($0)" }) {
                if isCancelled && !ledger.hasTriedToCancel { found.append("\(who): cancelled unasked") }
                if !isCancelled && ledger.isCancelled { found.append("\(who): the cancelling was lost") }
            }
            if wasPassedOver { found.append("\(who): lapsed, while others were matched afterwards") }
        }
        if let id = ledger.registration {
            let isThere = try rows.contains { try $0.decode(0, String.self) == "\(id)" }
            if !isThere { found.append("\(who): the registration \(id) was lost") }
        }
        let ales = try await query(Self.ales, ["\(account.user.id)"])[0].decode(0, Int64.self)
        if ales > ledger.cheers { found.append("\(who): cheered \(ledger.cheers) times, \(ales) counted") }
        if live > 1 { found.append("\(who): \(live) live registrations for one slot") }
        if let since = ledger.endpointSince { found += try await checkDeliveries(to: person, account, since) }
        return found + (try await checkChange(of: person, account))
    }

    /// Checks that the person received everything in the order of the ids, nothing twice, nothing skipped,
    /// and that REST returns the same.
    private func checkChange(of person: BesiegedPerson, _ account: Person) async throws -> [String] {
        var kept: [BesiegedLedger.Told] = []
        for row in try await query(Self.told, ["\(account.user.id)"]) {
            let (id, type) = try row.decode(Int64.self, String.self)
            kept.append(BesiegedLedger.Told(id: id, type: type))
        }
        let expected = kept
        if try await reach({ person.ledger.told == expected }) { return [] }
        return ["\(person.description): \(expected) was to be told, and \(person.ledger.told) was"]
    }

    // Queries.

    func count(_ sql: String) async throws -> Int64 {
        try await query(sql)[0].decode(0, Int64.self)
    }

    func query(_ sql: String, _ parameters: [any PostgresEncodable] = []) async throws -> PostgresRows {
        try await Self.connections.with {
            try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
                try await connection.query(sql, parameters)
            }
        }
    }

    /// Waits until the condition holds; returns false when that takes too long. The database may be away
    /// meanwhile.
    private func reach(
        within limit: Duration? = nil, _ condition: () async throws -> Bool
    ) async throws -> Bool {
        let end = Timestamp.now.adding(limit ?? patience)
        while Timestamp.now < end {
            if let holds = try? await condition(), holds { return true }
            try await ContinuousClock().sleep(for: .milliseconds(50))
        }
        return false
    }
}
