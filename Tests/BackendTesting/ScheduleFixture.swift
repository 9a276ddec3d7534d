import Contract
import Postgres
import PostgresTesting
import Reactor

@testable import API
@testable import Backend
@testable import Database
@testable import Scheduling
@testable import Settings

/// A migrated database, an application on it, and a clock that the test sets.
struct ScheduleFixture: Sendable {
    let application: Application
    let pool: PostgresPool
    private let clock: Lock<Timestamp>

    /// The slot that the tests are about: half an hour long, its room opens a minute before.
    static let slot = Timestamp("2030-01-01T09:00:00Z") ?? Timestamp(seconds: 0)
    static let end = slot.adding(.seconds(1800))
    static let opening = slot.adding(.seconds(-60))

    static func with(
        roomSize: Int = 2, lockTimeout: Duration? = nil, _ body: (ScheduleFixture) async throws -> Void
    ) async throws {
        try await TestDatabase.with(copyOf: .migrated) { database in
            var connections = database.configuration
            if let lockTimeout {
                connections.lockTimeout = lockTimeout
                connections.statementTimeout = lockTimeout
            }
            let pool = PostgresPool(connections, on: database.loop)
            let clock = Lock(slot.adding(.seconds(-3600)))
            var configuration = ServerConfiguration(cores: 1)
            configuration.roomSize = roomSize
            guard let rules = ScheduleRules(configuration) else {
                throw PostgresError.invalid("the fixture's own grid")
            }
            let timeZones = TimeZones()
            try await timeZones.read(from: pool)
            let application = Application(
                configuration: configuration, rules: rules,
                tickets: Tickets(key: [1, 2, 3], publicURL: "http://127.0.0.1"),
                now: { clock.withLock { $0 } }, timeZones: timeZones,
                pools: [pool], locks: LockPlaces(pool: pool), changed: { _ in },
                limits: RequestLimits(configuration))
            try await body(ScheduleFixture(application: application, pool: pool, clock: clock))
            await pool.shutdown()
        }
    }

    /// Lends a fixture to the body, and the registrations of new people for the slot.
    static func withRegistered(
        _ count: Int, _ body: (ScheduleFixture, _ registrations: [Identifier]) async throws -> Void
    ) async throws {
        try await with { try await body($0, try await $0.register(count)) }
    }

    /// Lends a fixture to the body, and the registrations of new people who were matched as the room opened.
    static func withMatched(
        _ count: Int, _ body: (ScheduleFixture, _ registrations: [Identifier]) async throws -> Void
    ) async throws {
        try await with { try await body($0, try await $0.registerAndMatch(count)) }
    }

    var store: PostgresSchedule { PostgresSchedule(pool: pool, serverName: "here") }

    func store(endsAtOnce: Int64) -> PostgresSchedule {
        PostgresSchedule(pool: pool, serverName: "here", endsAtOnce: endsAtOnce)
    }

    var scheduleClock: LoopClock { LoopClock(pool.loop, now: application.now) }

    func set(_ now: Timestamp) { clock.withLock { $0 = now } }

    /// Registers new people for the slot, and returns their registrations.
    @discardableResult
    func register(_ count: Int) async throws -> [Identifier] {
        var generator = SystemRandomNumberGenerator()
        let now = application.now()
        let users = (0..<count).map { _ in Identifier.v7(at: now, using: &generator) }
        let ids = (0..<count).map { _ in Identifier.v7(at: now, using: &generator) }
        try await pool.query(
            "INSERT INTO slots (starts_at, ends_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            [Self.slot, Self.end])
        try await pool.query(
            """
            INSERT INTO users (id, name, time_zone, token_hash, created_at)
            SELECT id, 'somebody', 'UTC', sha256(id::text::bytea), $2 FROM unnest($1::uuid[]) AS person (id)
            """, [users, now])
        try await pool.query(
            """
            INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
            SELECT id, user_id, $3, 'write', $4, $4 FROM unnest($1::uuid[], $2::uuid[]) AS entry (id, user_id)
            """, [ids, users, Self.slot, now])
        return ids
    }

    @discardableResult
    func match(seed: UInt64 = 1) async throws -> MatchOutcome {
        try await matcher().match(Self.slot, seed: seed)
    }

    /// Matches the slot as its room opens.
    @discardableResult
    func matchAtOpening(seed: UInt64 = 1) async throws -> MatchOutcome {
        set(Self.opening)
        return try await match(seed: seed)
    }

    /// Registers new people, and matches them as their room opens. Returns their registrations.
    @discardableResult
    func registerAndMatch(_ count: Int) async throws -> [Identifier] {
        let ids = try await register(count)
        try await matchAtOpening()
        return ids
    }

    func matcher(
        holder: String = "here", store: (any ScheduleStore)? = nil,
        _ change: (inout ScheduleRules) -> Void = { _ in }
    ) -> SlotMatcher {
        var rules = application.rules
        rules.hasHeadStart = false
        change(&rules)
        return SlotMatcher(
            rules: rules, clock: scheduleClock, store: store ?? self.store,
            makeRoomID: Scheduler.unguessable, holder: holder)
    }

    func close() async throws -> Bool {
        try await SlotCloser(clock: scheduleClock, store: store).close(Self.slot)
    }

    /// Returns the current members of each room.
    func rooms() async throws -> [Identifier: Set<Identifier>] {
        var rooms: [Identifier: Set<Identifier>] = [:]
        for row in try await pool.query(
            "SELECT room_id, registration_id FROM members WHERE left_revision IS NULL")
        {
            let (room, registration) = try row.decode(Identifier.self, Identifier.self)
            rooms[room, default: []].insert(registration)
        }
        return rooms
    }

    /// Returns the types of all notifications of a registration, in their order.
    func told(_ registration: Identifier) async throws -> [String] {
        let rows = try await pool.query(
            "SELECT type FROM notifications WHERE registration_id = $1 ORDER BY id", [registration])
        var types: [String] = []
        for row in rows { types.append(try row.decode(0, String.self)) }
        return types
    }

    func enter(_ registrations: [Identifier]) async throws {
        try await pool.query(
            "UPDATE members SET entered_at = $2 WHERE registration_id = ANY($1::uuid[])",
            [registrations, application.now()])
    }

    /// Marks the members as present in their rooms.
    func arrive(_ registrations: [Identifier]) async throws {
        try await pool.query(
            """
            UPDATE members SET entered_at = coalesce(entered_at, $2), present_on = 'here', away_since = NULL
            WHERE registration_id = ANY($1::uuid[]) AND left_revision IS NULL
            """, [registrations, application.now()])
    }

    /// Marks the members as away.
    func vanish(_ registrations: [Identifier]) async throws {
        try await pool.query(
            """
            UPDATE members SET present_on = NULL, away_since = $2
            WHERE registration_id = ANY($1::uuid[]) AND left_revision IS NULL
            """, [registrations, application.now()])
    }

    /// Cancels registrations, and takes them out of their rooms.
    func cancel(_ registrations: [Identifier]) async throws {
        try await pool.transaction { connection in
            try await connection.query(
                "UPDATE registrations SET cancelled_at = $2, updated_at = $2 WHERE id = ANY($1::uuid[])",
                [registrations, application.now()])
            let departure = try await RoomDeparture.leave(registrations, on: connection)
            try await NotificationWriter.write(departure.notices, at: application.now(), on: connection)
        }
    }

    func room(of registration: Identifier) async throws -> Set<Identifier> {
        try await rooms().values.first { $0.contains(registration) } ?? []
    }

    // Relations between people.

    func block(_ one: Identifier, _ other: Identifier) async throws {
        try await mark("blocks", one, other)
    }

    func favour(_ one: Identifier, _ other: Identifier) async throws {
        try await mark("favourites", one, other)
    }

    private func mark(_ table: String, _ one: Identifier, _ other: Identifier) async throws {
        try await pool.query(
            """
            INSERT INTO \(table) (user_id, other_id, registration_id, created_at)
            SELECT one.user_id, other.user_id, other.id, $3
            FROM registrations AS one, registrations AS other WHERE one.id = $1 AND other.id = $2
            """, [one, other, application.now()])
    }

    /// Stores that the two were in one room that many days before the slot, and both entered it.
    func meet(_ one: Identifier, _ other: Identifier, daysAgo: Int) async throws {
        let then = Self.slot.adding(.seconds(-86_400 * daysAgo))
        let before = try await registerAgain([one, other], in: then)
        let room = Scheduler.unguessable()
        try await pool.query(
            "INSERT INTO rooms (id, starts_at, opened_at) VALUES ($1, $2, $2)", [room, then])
        try await pool.query(
            """
            INSERT INTO members (room_id, registration_id, entered_at)
            SELECT $1, id, $3 FROM unnest($2::uuid[]) AS entry (id)
            """, [room, before, then])
    }

    /// Registers the same people for another slot, and returns their new registrations.
    @discardableResult
    func registerAgain(_ registrations: [Identifier], in startsAt: Timestamp) async throws -> [Identifier] {
        var generator = SystemRandomNumberGenerator()
        let ids = registrations.map { _ in Identifier.v7(at: application.now(), using: &generator) }
        try await pool.query(
            "INSERT INTO slots (starts_at, ends_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            [startsAt, startsAt.adding(.seconds(1800))])
        try await pool.query(
            """
            INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
            SELECT entry.id, user_id, $3, 'write', $4, $4
            FROM unnest($1::uuid[], $2::uuid[]) AS entry (id, old)
            JOIN registrations ON registrations.id = old
            """, [ids, registrations, startsAt, application.now()])
        return ids
    }

    /// Returns the user who was left alone in a slot.
    func leftAlone(in startsAt: Timestamp) async throws -> Identifier? {
        try await pool.query("SELECT user_id FROM left_alone WHERE starts_at = $1", [startsAt]).first?
            .decode(0, Identifier.self)
    }
}
