import Contract
import Matching
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("What the people of a slot know of each other")
struct PostgresSlotEdgesTests {
    private static func read(
        _ fixture: ScheduleFixture, of some: [Identifier]? = nil
    ) async throws -> Set<SlotEdge> {
        try await fixture.pool.transaction { connection in
            Set(
                try await PostgresSlotEdges(startsAt: ScheduleFixture.slot, connection: connection).all(
                    of: some))
        }
    }

    @Test("is asked for all of them, or for some: what they think of others, and others of them")
    func ofSome() async throws {
        try await ScheduleFixture.withRegistered(4) { fixture, people in
            try await fixture.block(people[0], people[1])
            try await fixture.block(people[2], people[3])
            try await fixture.favour(people[2], people[0])
            try await fixture.favour(people[1], people[3])
            let first = SlotEdge(first: people[0], second: people[1], kind: .block)
            let second = SlotEdge(first: people[2], second: people[0], kind: .favourite)
            #expect(try await Self.read(fixture, of: [people[0]]) == [first, second])
            #expect(try await Self.read(fixture, of: [people[0], people[1]]).count == 3)
            #expect(try await Self.read(fixture).count == 4)
            #expect(try await Self.read(fixture, of: []).isEmpty)
        }
    }

    @Test("leaves out who has cancelled")
    func cancelled() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await fixture.block(people[0], people[1])
            try await fixture.favour(people[1], people[0])
            try await fixture.meet(people[0], people[1], daysAgo: 2)
            #expect(try await Self.read(fixture).count == 3)
            try await fixture.pool.query(
                "UPDATE registrations SET cancelled_at = created_at WHERE id = $1", [people[1]])
            #expect(try await Self.read(fixture).isEmpty)
        }
    }

    /// The condition that a member belongs to the user of that registration.
    private static let isOfUser = """
        registration_id IN (
            SELECT id FROM registrations
            WHERE user_id = (SELECT user_id FROM registrations WHERE id = $1))
        """

    private static let afterOneMeeting = SlotEdge.Kind.meetings(MatchWeights.meetings(daysAgo: [2]))

    @Test("a meeting is being in a room together: who had left before the other came has not met that one")
    func notTogether() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await fixture.meet(people[0], people[1], daysAgo: 2)
            #expect(try await Self.read(fixture).map(\.kind) == [Self.afterOneMeeting])
            try await fixture.pool.query(
                "UPDATE members SET left_revision = 2 WHERE \(Self.isOfUser)", [people[0]])
            try await fixture.pool.query(
                "UPDATE members SET joined_revision = 2 WHERE \(Self.isOfUser)", [people[1]])
            #expect(try await Self.read(fixture).isEmpty)
            #expect(try await Self.read(fixture, of: [people[0]]).isEmpty)
        }
    }

    @Test("who cancelled, and came back to the same room, has met the others there once, and not themself")
    func onceASession() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await fixture.meet(people[0], people[1], daysAgo: 2)
            let before = ScheduleFixture.slot.adding(.seconds(-2 * 86_400))
            try await fixture.pool.query(
                "UPDATE members SET left_revision = 2 WHERE \(Self.isOfUser)", [people[0]])
            try await fixture.pool.query(
                """
                UPDATE registrations SET cancelled_at = starts_at FROM members
                WHERE registration_id = id AND left_revision = 2
                """)
            let again = try await fixture.registerAgain([people[0]], in: before)
            try await fixture.pool.query(
                """
                INSERT INTO members (room_id, registration_id, joined_revision, entered_at)
                SELECT id, $1, 3, $2 FROM rooms WHERE starts_at = $2
                """, [again[0], before])
            #expect(try await Self.read(fixture).map(\.kind) == [Self.afterOneMeeting])
            for person in people {
                #expect(try await Self.read(fixture, of: [person]).map(\.kind) == [Self.afterOneMeeting])
            }
        }
    }
}
