import Contract
import Postgres
import Reactor
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("The events after which a person is alone, or is no longer")
struct RESTPartnerTests {
    private static let slot = "2027-03-03T13:00:00Z"

    /// Returns the starts of the noted slots, and forgets them.
    private static func noted(_ world: RESTWorld) async throws -> [String] {
        let rows = try await world.pool.query(
            "WITH gone AS (DELETE FROM slot_changes RETURNING starts_at) SELECT DISTINCT starts_at FROM gone "
                + "ORDER BY 1")
        return try rows.map { try $0.decode(0, Timestamp.self).description }
    }

    private static func notices(_ world: RESTWorld) -> PartnerNotices {
        let rules = world.application.rules
        return PartnerNotices(
            pool: world.pool, now: world.application.now, opensAt: { rules.opensAt($0) },
            changed: world.application.changed)
    }

    @Test("is noted with a registration, its end, and that of an account, and with no other change")
    func registrations() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let id = try await world.register(ann, Self.slot)
            #expect(try await Self.noted(world) == [Self.slot])
            let path = "/v1/registrations/\(id)"
            _ = try await world.send("PATCH", path, token: ann, body: #"{"task":"Read","tag":"x"}"#)
            #expect(try await Self.noted(world).isEmpty)
            _ = try await world.send("PATCH", path, token: ann, body: #"{"with":"favourites"}"#)
            #expect(try await Self.noted(world) == [Self.slot])
            // A request that is refused changes nothing.
            let again = try await world.book(ann, ["2027-03-03T14:00:00Z", Self.slot])
            #expect(again.status == 409)
            #expect(try await Self.noted(world).isEmpty)
            #expect(try await world.delete(path, ann) == 204)
            #expect(try await Self.noted(world) == [Self.slot])
            #expect(try await world.delete(path, ann) == 204)
            #expect(try await Self.noted(world).isEmpty)
            _ = try await world.register(bea, Self.slot)
            _ = try await Self.noted(world)
            #expect(try await world.delete("/v1/me", bea) == 204)
            #expect(try await Self.noted(world) == [Self.slot])
        }
    }

    @Test("is noted by a routine: its days, and their end")
    func routines() async throws {
        try await RESTWorld.withAccount { world, ann in
            let routine = try await world.make(ann, "FREQ=DAILY;COUNT=2", "13:00")
            let days = ["2027-03-01T13:00:00Z", "2027-03-02T13:00:00Z"]
            #expect(try await Self.noted(world) == days)
            _ = try await world.change(routine.id, ann, #"{"paused":true}"#)
            #expect(try await Self.noted(world) == days)
        }
    }

    @Test(
        "is noted with a block, a favourite and their end, for what is ahead",
        arguments: ["blocks", "favourites"])
    func lists(list: String) async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let theirs = try await world.meet(ann, bea, at: 0).theirs
            for person in [ann, bea] { _ = try await world.register(person.token, Self.slot) }
            _ = try await world.register(ann.token, "2027-03-03T14:00:00Z")
            _ = try await Self.noted(world)
            #expect(try await world.mark(list, ann, theirs).status == 201)
            #expect(try await Self.noted(world) == [Self.slot])
            #expect(try await world.mark(list, ann, theirs).status == 200)
            #expect(try await Self.noted(world).isEmpty)
            try await world.send("DELETE", "/v1/\(list)/\(theirs)", token: ann.token)
            #expect(try await Self.noted(world) == [Self.slot])
        }
    }

    @Test("makes company of those in one slot, and not of those who begin together and end apart")
    func lengths() async throws {
        try await RESTWorld.withLengths { world in
            var tokens: [String] = []
            for name in ["Ann", "Bea", "Cy"] { tokens.append(try await world.signUp(name)) }
            for (token, minutes) in zip(tokens, [25, 50]) {
                #expect(try await world.book(token, "12:30", minutes).status == 201)
                #expect(try await Self.notices(world).step() == .looked)
            }
            for token in tokens { #expect(try await world.notifications(token).isEmpty) }
            #expect(try await world.book(tokens[2], "12:30", 50).status == 201)
            #expect(try await Self.notices(world).step() == .looked)
            #expect(try await world.notifications(tokens[0]).isEmpty)
            let told = try await world.notifications(tokens[1])
            #expect(told.map { $0["type"]?.string } == ["slot.partnered"])
            #expect(told.first?["data"]?["startsAt"]?.string == "2027-03-01T12:30:00Z")
            #expect(told.first?["data"]?["endsAt"]?.string == "2027-03-01T13:20:00Z")
            // No names, and nothing by which to find them.
            guard case .object(let members)? = told.first?["data"] else { return #expect(Bool(false)) }
            #expect(Set(members.map(\.name)) == ["registrationId", "startsAt", "endsAt"])
            let isTold = world.changeEvents.withLock { $0.contains(.notifications) }
            #expect(isTold)
        }
    }

    @Test("is looked at a hundred slots at a time, and a slot that is gone is no matter")
    func pages() async throws {
        try await RESTWorld.with { world in
            try await world.pool.query(
                """
                INSERT INTO slot_changes (starts_at)
                SELECT '2027-03-03T00:00Z'::timestamptz + n * interval '30 minutes'
                FROM generate_series(1, 150) AS n, generate_series(1, 2)
                """)
            #expect(try await Self.notices(world).step() == .looked)
            #expect(try await Self.noted(world).count == 50)
            #expect(try await Self.notices(world).step() == .nothingIsNoted)
            #expect(try await world.pool.query("SELECT FROM slot_partners").isEmpty)
        }
    }
}
