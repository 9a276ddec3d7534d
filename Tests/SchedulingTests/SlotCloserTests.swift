import API
import Contract
import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Closing a slot")
struct SlotCloserTests {
    private struct Killed: Error {}

    @Test("who entered has completed, who did not has missed, and each is told once")
    func attendedOrMissed() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            try await fixture.enter([pair[0]])
            try await serve(fixture)
            fixture.set(ScheduleFixture.end)
            #expect(try await fixture.close())
            #expect(try await !fixture.close())
            #expect(try await fixture.told(pair[0]).last == "session.completed")
            #expect(try await fixture.told(pair[1]).last == "session.missed")
        }
    }

    @Test("where there are many they are told in parts, each once, also when it is begun again")
    func inParts() async throws {
        try await ScheduleFixture.with { fixture in
            let people = try await fixture.register(11).sorted { $0.value < $1.value }
            try await fixture.matchAtOpening()
            try await fixture.enter(Array(people.prefix(5)))
            try await serve(fixture)
            fixture.set(ScheduleFixture.end)
            let partsLeft = Lock(2)
            var store = FaultyStore(
                store: fixture.store(endsAtOnce: 3),
                before: { _ in
                    let left = partsLeft.withLock { left in
                        left -= 1
                        return left
                    }
                    if left < 0 { throw Killed() }
                })
            await #expect(throws: Killed.self) {
                try await SlotCloser(clock: fixture.scheduleClock, store: store).close(ScheduleFixture.slot)
            }
            #expect(try await fixture.told(people[5]).last == "session.missed")
            #expect(try await fixture.told(people[6]) == ["room.opened"])
            // The closing would have passed over its id.
            let late = try await Self.request(people[0], fixture)
            let answer = try await fixture.pool.transaction {
                try await RegistrationWriter.write([late], on: $0).0
            }
            #expect(answer == [.settled(.over([0]))])
            store.before = { _ in }
            #expect(
                try await SlotCloser(clock: fixture.scheduleClock, store: store).close(ScheduleFixture.slot))
            for (index, person) in people.enumerated() {
                let end = index < 5 ? "session.completed" : "session.missed"
                #expect(try await fixture.told(person) == ["room.opened", end])
            }
        }
    }

    @Test("a slot does not close before its end")
    func tooEarly() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.register(2)
            fixture.set(ScheduleFixture.end.adding(.microseconds(-1)))
            #expect(try await !fixture.close())
        }
    }

    @Test("if no server was up during the slot, no person has missed it")
    func lapsed() async throws {
        try await ScheduleFixture.with { fixture in
            let pair = try await fixture.registerAndMatch(2)
            fixture.set(ScheduleFixture.end)
            #expect(try await fixture.close())
            for registration in pair {
                #expect(try await fixture.told(registration) == ["room.opened", "session.lapsed"])
            }
        }
    }

    @Test("who was never matched, because the service was down, has lapsed")
    func neverMatched() async throws {
        try await ScheduleFixture.with { fixture in
            let registrations = try await fixture.register(3)
            fixture.set(ScheduleFixture.end)
            #expect(try await fixture.match().rooms.isEmpty)
            #expect(try await fixture.close())
            for registration in registrations {
                #expect(try await fixture.told(registration) == ["session.lapsed"])
            }
        }
    }

    @Test("who is registering while the slot closes is waited for, and told; who comes then is refused")
    func registering() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, known in
            let new = try await Self.request(known[0], fixture)
            try await fixture.pool.query("DELETE FROM registrations WHERE id = $1", [known[0]])
            fixture.set(ScheduleFixture.end)
            let (hasWritten, wrote) = AsyncStream<Void>.makeStream()
            let (mayCommit, letCommit) = AsyncStream<Void>.makeStream()
            async let first = fixture.pool.transaction { connection in
                let answer = try await RegistrationWriter.write([new], on: connection).0
                wrote.yield()
                for await _ in mayCommit { break }
                return answer
            }
            for await _ in hasWritten { break }
            async let closed = fixture.close()
            try await fixture.pool.waitForBlocked()
            letCommit.yield()
            #expect(try await first == [.settled(.registered)])
            #expect(try await closed)
            #expect(try await fixture.told(new.slots[0].id) == ["session.lapsed"])
            let late = try await Self.request(known[1], fixture)
            let answer = try await fixture.pool.transaction {
                try await RegistrationWriter.write([late], on: $0).0
            }
            #expect(answer == [.settled(.over([0]))])
        }
    }

    /// Returns a request of the user of that registration, for the slot.
    private static func request(_ registration: Identifier, _ fixture: ScheduleFixture) async throws
        -> RegistrationRequest
    {
        let row = try await fixture.pool.query(
            "SELECT user_id FROM registrations WHERE id = $1", [registration]
        ).first
        let user = try #require(try row?.decode(0, Identifier.self))
        let slot = RequestedSlot(
            id: Scheduler.unguessable(), startsAt: ScheduleFixture.slot, endsAt: ScheduleFixture.end)
        return RegistrationRequest(
            user: user, task: "write", tag: nil, createdAt: fixture.application.now(), slots: [slot])
    }

    private func serve(_ fixture: ScheduleFixture) async throws {
        try await fixture.pool.query("UPDATE slots SET served_at = starts_at")
    }
}
