import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("An account that leaves an open slot")
struct ReturnTests {
    private static let slot = "2027-03-01T13:00:00Z"

    private static func state(_ world: RESTWorld, _ token: String) async throws -> SlotState? {
        let answer = try await world.send("GET", "/v1/slots?date=2027-03-01", token: token)
        let slots = try JSON.decode(SlotList.self, from: answer.body).slots
        return slots.first { $0.startsAt.description == slot }?.state.known
    }

    /// Registers and cancels.
    private static func comeAndGo(_ world: RESTWorld, _ token: String) async throws {
        try await world.cancel(try await world.register(token, slot), token)
    }

    @Test("comes back once, and then by an invite alone")
    func once() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            // A cancellation before the opening does not count.
            for _ in 0..<3 { try await Self.comeAndGo(world, ann) }
            let first = try await world.register(ann, Self.slot)
            world.clock.now = try #require(Timestamp("2027-03-01T12:59:00Z"))
            try await world.cancel(first, ann)
            #expect(try await Self.state(world, ann) == .empty)
            try await Self.comeAndGo(world, ann)
            #expect(try await Self.state(world, ann) == .closed)
            let refused = try await world.book(ann, [Self.slot])
            #expect(refused.status == 409 && refused.problem == "too-late")
            #expect(refused.pointers == ["/slots/0"] && refused.text.contains("left this session twice"))
            #expect(try await Self.state(world, bea) == .empty)
            let theirs = try await world.register(bea, Self.slot)
            #expect(try await Self.state(world, ann) == .closed)
            #expect(try await world.register(ann, "2027-03-01T13:30:00Z") != first)
            let made = try await world.send("POST", "/v1/registrations/\(theirs)/invite", token: bea)
            let code = try #require(try made.json()["code"]?.string)
            try await world.send(
                "POST", "/v1/registrations", token: ann, body: #"{"task":"Read","invite":"\#(code)"}"#,
                expecting: 201)
            #expect(try await Self.state(world, ann) == .partnered)
        }
    }

    @Test("does not come back more often by a routine")
    func routine() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY;COUNT=2", "13:00")
            world.clock.now = try #require(Timestamp("2027-03-01T12:59:00Z"))
            try await world.cancel(try #require(made.next[0].registrationId), token)
            let path = "/v1/routines/\(made.id)/skips/2027-03-01"
            #expect(try await world.send("DELETE", path, token: token).status == 204)
            let back = try await world.routine(made.id, token)
            #expect(back.next.map(\.state.known) == [.registered, .registered])
            try await world.cancel(try #require(back.next[0].registrationId), token)
            #expect(try await world.send("DELETE", path, token: token).status == 204)
            #expect(try await world.routine(made.id, token).next.map(\.state.known) == [.late, .registered])
            #expect(try await world.registrations(token, "registered").count == 1)
        }
    }

    @Test("is refused once in a transaction with others, who are not touched")
    func batch() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            world.clock.now = try #require(Timestamp("2027-03-01T12:59:00Z"))
            for _ in 0..<2 { try await Self.comeAndGo(world, ann.token) }
            let key = try #require(Timestamp(Self.slot))
            let requests = [ann, bea, ann].enumerated().map { number, person in
                let key = number == 2 ? key.adding(.seconds(1800)) : key
                return RegistrationRequest(
                    user: person.id, task: "Write", createdAt: world.clock.now,
                    slots: [
                        RequestedSlot(
                            id: Identifier(value: UInt128(number + 1)), key: key, adjusted: nil,
                            world.application.rules, at: world.clock.now)
                    ])
            }
            let results = try await world.pool.transaction { connection in
                try await RegistrationWriter.write(requests, on: connection)
            }.0
            #expect(
                results == [.settled(.leftTwice([0])), .settled(.registered), .settled(.registered)])
        }
    }
}
