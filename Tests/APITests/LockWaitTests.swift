import Contract
import HTTP1
import HTTPServer
import Postgres
import Reactor
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("While a transaction holds the lock of a slot", .timeLimit(.minutes(5)))
struct LockWaitTests {
    private static let slot = "2027-03-01T13:00:00Z"

    /// Runs the body while a transaction holds the slot; then `afterwards`.
    private static func holding(
        _ world: RESTWorld, _ body: () async throws -> Void,
        afterwards: () async throws -> Void = {}
    ) async throws {
        let startsAt = try #require(Timestamp(slot))
        try await world.pool.transaction { connection in
            try await SlotLock.take(startsAt, on: connection)
            try await SlotLock.allow(idle: .seconds(240), on: connection)
            try await body()
        }
        try await afterwards()
    }

    @Test("what cannot be cancelled or changed any more is answered at once")
    func answered() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let cancelled = try await world.register(ann, Self.slot)
            try await world.pool.query("UPDATE registrations SET cancelled_at = $1", [world.clock.now])
            let theirs = try await world.register(bea, Self.slot)
            try await Self.holding(world) {
                for _ in 0..<24 {
                    #expect(try await world.delete("/v1/registrations/\(cancelled)", ann) == 204)
                }
                #expect(try await world.delete("/v1/registrations/\(theirs)", ann) == 404)
                try await world.send(
                    "PATCH", "/v1/registrations/\(cancelled)", token: ann, body: #"{"task":"Read"}"#,
                    expecting: 409)
                world.clock.now = world.clock.now.adding(.seconds(86_400))
                #expect(try await world.delete("/v1/registrations/\(theirs)", bea) == 409)
            }
        }
    }

    @Test("those who wait for it hold one place, and block no other request")
    func waiting() async throws {
        try await RESTWorld.with { world in
            var people: [(token: String, registration: Identifier)] = []
            for number in 0..<6 {
                let token = try await world.signUp("P\(number)")
                people.append((token, try await world.register(token, Self.slot)))
            }
            let other = try await world.register(people[0].token, "2027-03-01T14:00:00Z")
            let waiters = people
            let entered = AsyncStream<Int>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await Self.holding(world) {
                    for person in waiters {
                        group.addTask {
                            entered.continuation.yield(
                                try await world.delete(
                                    "/v1/registrations/\(person.registration)", person.token))
                        }
                    }
                    while await world.application.locks.waiting < waiters.count - 1 { await Task.yield() }
                    try await world.pool.waitForBlocked()
                    let blocked = try await world.pool.query(
                        """
                        SELECT FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'
                        """)
                    #expect(blocked.count == 1)
                    // Meanwhile a registration for another slot is cancelled, and a name changed.
                    #expect(
                        try await world.delete("/v1/registrations/\(other)", waiters[0].token) == 204)
                    try await world.send(
                        "PATCH", "/v1/me", token: waiters[0].token, body: #"{"name":"Else"}"#, expecting: 200)
                    try await world.send("GET", "/v1/me", token: waiters[0].token)
                } afterwards: {
                    var count = 0
                    for await status in entered.stream {
                        #expect(status == 204)
                        count += 1
                        if count == waiters.count { break }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("a caller who finds no place in time, or no place in the queue, is told to come back")
    func refused() async throws {
        try await RESTWorld.with { world in
            let key = LockKey.user(Identifier(value: 1))
            for waiters in [0, 1] {
                var configuration = world.pool.configuration
                configuration.waiters = WaiterBudget(maximum: waiters)
                let pool = PostgresPool(configuration, on: world.pool.loop)
                let places = LockPlaces(pool: pool, patience: waiters > 0 ? .milliseconds(1) : .seconds(240))
                try await places.with(key) { _ in
                    let error = await #expect(throws: PostgresError.self) {
                        try await places.with(key) { (_) -> Void in Issue.record("entered") }
                    }
                    let refusal = try #require(error)
                    #expect(refusal.meansUnavailable)
                    let answer = Answer.refusal(for: refusal, id: "x", in: .english)
                    #expect(answer.status == 503 && answer.headers.contains("Retry-After"))
                }
                // The places were given back, also by those who waited in vain.
                try await places.with(key) { _ in }
                #expect(configuration.waiters.take() == (waiters > 0))
                await pool.shutdown()
            }
        }
    }

    @Test("callers that are refused for load are asked to come back at different seconds")
    func spreading() {
        let answers = (0..<400).map { _ in
            Answer.refusal(for: PostgresError.unavailable("busy"), id: "x", in: .english)
        }
        #expect(Set(answers.map { $0.headers.first("retry-after") }) == ["1", "2", "3", "4"])
    }

    @Test("a slot that opens delays no cancellation in another one, and its lock is taken in the end")
    func turns() async throws {
        try await RESTWorld.with { world in
            var configuration = world.pool.configuration.sized(1)
            configuration = configuration.waitingForLocks(.milliseconds(20))
            let pool = PostgresPool(configuration, on: world.pool.loop)
            let places = LockPlaces(pool: pool, patience: .seconds(240))
            let startsAt = try #require(Timestamp(Self.slot))
            @Sendable func take(_ slot: Timestamp) async throws {
                try await places.with(.slot(slot)) { database in
                    try await database.transaction { try await SlotLock.take(slot, on: $0) }
                }
            }
            let hasEntered = Lock(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await world.pool.transaction { connection in
                    try await SlotLock.take(startsAt, on: connection)
                    try await SlotLock.allow(idle: .seconds(240), on: connection)
                    group.addTask {
                        try await take(startsAt)
                        hasEntered.withLock { $0 = true }
                    }
                    try await world.pool.waitForBlocked()
                    // There is one place, and the other caller has it.
                    for hour in 1...3 { try await take(startsAt.adding(.seconds(hour * 3600))) }
                    #expect(!hasEntered.withLock { $0 })
                }
                try await group.waitForAll()
            }
            #expect(hasEntered.withLock { $0 })
            #expect(await places.waiting == 0)
            await pool.shutdown()
        }
    }

    @Test("no registration waits for a slot that is being closed")
    func closing() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            _ = try await world.register(ann, Self.slot)
            let startsAt = try #require(Timestamp(Self.slot))
            try await world.pool.transaction { connection in
                try await connection.query("SELECT FROM slots WHERE starts_at = $1 FOR UPDATE", [startsAt])
                let late = try await world.book(bea, [Self.slot])
                #expect(late.status == 409)
                #expect(try late.json()["type"]?.string == "/problems/too-late")
                _ = try await world.register(bea, "2027-03-01T14:00:00Z")
            }
            // The slot was not closed in the end.
            _ = try await world.register(bea, Self.slot)
        }
    }
}
