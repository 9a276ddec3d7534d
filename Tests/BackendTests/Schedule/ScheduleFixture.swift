import Contract
import Matching
import Postgres
import Reactor
import TestSupport

@testable import Backend

/// A migrated database of its own, an application on it, and a clock that the test owns.
struct ScheduleFixture: Sendable {
    let application: Application
    let pool: PostgresPool
    private let clock: Lock<Timestamp>

    /// The slot that the tests are about: half an hour long, its room opens a minute before.
    static let slot = Timestamp("2030-01-01T09:00:00Z") ?? Timestamp(seconds: 0)
    static let end = slot.adding(.seconds(1800))
    static let opening = slot.adding(.seconds(-60))

    static func with(
        roomSize: Int = 2, _ body: (ScheduleFixture) async throws -> Void
    ) async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { _ = try await Migrations.migrator().apply(on: $0) }
            let pool = PostgresPool(database.configuration, on: database.loop)
            let clock = Lock(slot.adding(.seconds(-3600)))
            var configuration = ServerConfiguration(cores: 1)
            configuration.roomSize = roomSize
            guard let grid = SlotGrid(slotSeconds: 1800), let size = RoomSize(roomSize) else {
                throw PostgresError.invalid("the fixture's own grid")
            }
            let application = Application(
                configuration: configuration, grid: grid, roomSize: size,
                tickets: Tickets(key: [1, 2, 3], publicURL: "http://127.0.0.1"),
                now: { clock.withLock { $0 } }, timeZones: try await TimeZones.read(from: pool),
                pools: [pool], changed: { _ in })
            try await body(ScheduleFixture(application: application, pool: pool, clock: clock))
            await pool.shutdown()
        }
    }

    var store: PostgresSchedule { PostgresSchedule(pool: pool) }

    var scheduleClock: LoopClock { LoopClock(pool.loop, now: application.now) }

    func set(_ now: Timestamp) { clock.withLock { $0 = now } }

    /// Registers new people for the slot, and answers with their registrations.
    @discardableResult
    func register(_ count: Int) async throws -> [UUID] {
        var generator = SystemRandomNumberGenerator()
        let now = application.now()
        let users = (0..<count).map { _ in UUID.v7(at: now, using: &generator) }
        let ids = (0..<count).map { _ in UUID.v7(at: now, using: &generator) }
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
    func match(seed: UInt64 = 1) async throws -> SlotMatcher.Outcome {
        let matcher = SlotMatcher(
            rules: ScheduleRules(application), clock: scheduleClock, store: store,
            makeRoomID: Scheduler.unguessable)
        return try await matcher.match(Self.slot, seed: seed)
    }

    func close() async throws -> Bool {
        try await SlotCloser(clock: scheduleClock, store: store).close(Self.slot)
    }

    /// Who is in which room now.
    func rooms() async throws -> [UUID: Set<UUID>] {
        var rooms: [UUID: Set<UUID>] = [:]
        for row in try await pool.query(
            "SELECT room_id, registration_id FROM members WHERE left_revision IS NULL")
        {
            let (room, registration) = try row.decode(UUID.self, UUID.self)
            rooms[room, default: []].insert(registration)
        }
        return rooms
    }

    /// The types of all notifications of a registration, in their order.
    func told(_ registration: UUID) async throws -> [String] {
        let rows = try await pool.query(
            "SELECT type FROM notifications WHERE registration_id = $1 ORDER BY id", [registration])
        var types: [String] = []
        for row in rows { types.append(try row.decode(0, String.self)) }
        return types
    }

    func enter(_ registrations: [UUID]) async throws {
        try await pool.query(
            "UPDATE members SET entered_at = $2 WHERE registration_id = ANY($1::uuid[])",
            [registrations, application.now()])
    }
}
