import Contract
import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Matching a slot")
struct SlotMatcherTests {
    @Test("no person is matched before the room opens")
    func tooEarly() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.register(2)
            fixture.set(ScheduleFixture.opening.adding(.microseconds(-1)))
            #expect(try await fixture.match().rooms.isEmpty)
            #expect(try await fixture.rooms().isEmpty)
        }
    }

    @Test("each person is in one room of two or three, and notified once", arguments: [1, 2, 3, 4, 5, 8, 41])
    func everybodyOnce(people: Int) async throws {
        try await ScheduleFixture.withRegistered(people) { fixture, registrations in
            let outcome = try await fixture.matchAtOpening()
            #expect(outcome.isFirst && outcome.people == people)
            let rooms = try await fixture.rooms()
            #expect(rooms.values.flatMap { $0 }.count == people)
            #expect(Set(rooms.values.flatMap { $0 }) == Set(registrations))
            #expect(people == 1 || rooms.values.allSatisfy { (2...3).contains($0.count) })
            for registration in registrations {
                #expect(try await fixture.told(registration) == ["room.opened"])
            }
        }
    }

    @Test("matching again finds no people left and changes nothing")
    func again() async throws {
        try await ScheduleFixture.withMatched(5) { fixture, _ in
            let before = try await fixture.rooms()
            #expect(try await fixture.match(seed: 2).rooms.isEmpty)
            #expect(try await fixture.rooms() == before)
        }
    }

    @Test("late ones who may not meet find company in one room, whose members are told once")
    func splitAndJoined() async throws {
        try await ScheduleFixture.withMatched(3) { fixture, three in
            let late = try await fixture.register(2)
            try await fixture.block(late[0], late[1])
            fixture.set(ScheduleFixture.opening.adding(.seconds(90)))
            let outcome = try await fixture.match(seed: 2)
            #expect(outcome.people == 2 && outcome.rooms.count == 2)
            #expect(try await fixture.rooms().values.map(\.count).sorted() == [2, 3])
            for person in three {
                #expect(try await fixture.told(person) == ["room.opened", "room.changed"])
            }
            for person in late { #expect(try await fixture.told(person) == ["room.opened"]) }
        }
    }

    @Test("two servers that match at once make one match")
    func atOnce() async throws {
        try await ScheduleFixture.with { fixture in
            let registrations = try await fixture.register(20)
            fixture.set(ScheduleFixture.opening)
            async let first = fixture.match(seed: 1)
            async let second = fixture.match(seed: 2)
            #expect([try await first.isFirst, try await second.isFirst].filter { $0 }.count == 1)
            #expect(try await fixture.rooms().values.flatMap { $0 }.count == 20)
            for registration in registrations {
                #expect(try await fixture.told(registration) == ["room.opened"])
            }
        }
    }

    @Test("a late one joins who is alone, and the other is told")
    func lateJoinsAlone() async throws {
        try await ScheduleFixture.withMatched(1) { fixture, alone in
            let late = try await fixture.register(1)
            try await fixture.match()
            #expect(try await fixture.rooms().values.map { $0 } == [Set(alone + late)])
            #expect(try await fixture.told(alone[0]) == ["room.opened", "room.changed"])
            #expect(try await fixture.told(late[0]) == ["room.opened"])
        }
    }

    @Test("a late one makes a full room one of three, and the next one gets a member who has not entered")
    func lateSplits() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            try await fixture.enter(pair)
            let third = try await fixture.register(1)
            try await fixture.match()
            #expect(try await fixture.rooms().values.map(\.count) == [3])
            let fourth = try await fixture.register(1)
            try await fixture.match()
            let rooms = Set(try await fixture.rooms().values)
            #expect(rooms == [Set(pair), Set(third + fourth)])
            #expect(try await fixture.told(third[0]) == ["room.opened", "room.changed"])
            #expect(try await fixture.told(fourth[0]) == ["room.opened"])
            #expect(try await fixture.told(pair[0]) == ["room.opened", "room.changed", "room.changed"])
        }
    }

    @Test("who has entered is not moved: the late one opens a room alone")
    func lateStaysAlone() async throws {
        try await ScheduleFixture.withMatched(3) { fixture, three in
            try await fixture.enter(three)
            let late = try await fixture.register(1)
            try await fixture.match()
            #expect(Set(try await fixture.rooms().values) == [Set(three), Set(late)])
        }
    }

    @Test("a match that was overtaken is made again at once, a few times", arguments: [2, 3])
    func overtaken(times: Int) async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.register(2)
            fixture.set(ScheduleFixture.opening)
            let left = Lock(times)
            let store = FaultyStore(
                store: fixture.store,
                before: { _ in
                    let isOvertaken = left.withLock { left in
                        left -= 1
                        return left >= 0
                    }
                    if isOvertaken { throw MatchOvertaken() }
                })
            let matcher = fixture.matcher(store: store)
            if times < 3 {
                #expect(try await matcher.match(ScheduleFixture.slot, seed: 1).isFirst)
            } else {
                await #expect(throws: MatchOvertaken.self) {
                    try await matcher.match(ScheduleFixture.slot, seed: 1)
                }
            }
        }
    }

    @Test("who cancelled before the opening is not matched")
    func cancelled() async throws {
        try await ScheduleFixture.withRegistered(3) { fixture, registrations in
            try await fixture.pool.query(
                "UPDATE registrations SET cancelled_at = created_at WHERE id = $1", [registrations[0]])
            try await fixture.matchAtOpening()
            #expect(Set(try await fixture.rooms().values) == [Set(registrations.dropFirst())])
        }
    }

    @Test("the schema refuses a second room for a registration, and a second room.opened")
    func constraints() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, registrations in
            let second = """
                WITH room AS (
                    INSERT INTO rooms (id, starts_at, opened_at) VALUES (gen_random_uuid(), $2,
                        $2) RETURNING id)
                INSERT INTO members (room_id, registration_id) SELECT id, $1 FROM room
                """
            let again = """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                SELECT user_id, type, created_at, registration_id, room_id, revision
                FROM notifications WHERE registration_id = $1 AND $2::timestamptz IS NOT NULL
                """
            for statement in [second, again] {
                let error = await #expect(throws: PostgresError.self) {
                    try await fixture.pool.query(statement, [registrations[0], ScheduleFixture.slot])
                }
                #expect(error?.sqlState == .uniqueViolation)
            }
        }
    }

    @Test(
        "a server that stands still in a transaction loses the lock of its slot when others wait no longer",
        arguments: [1, 7])
    func standsStill(seconds: Int) async throws {
        try await ScheduleFixture.with(lockTimeout: .seconds(seconds)) { fixture in
            let limit = try await fixture.store.transaction(on: ScheduleFixture.slot) { transaction in
                let connection = try #require(transaction as? PostgresSlot).connection
                let row = try await connection.query("SHOW idle_in_transaction_session_timeout").first
                return try row?.decode(0, String.self)
            }
            #expect(limit == "\(max(5, seconds))s")
            let row = try await fixture.pool.query("SHOW idle_in_transaction_session_timeout").first
            #expect(try row?.decode(0, String.self) == "1min")
        }
    }
}
