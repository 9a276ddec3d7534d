import Contract
import Postgres
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database
@testable import Scheduling
@testable import Settings

@Suite("A slot in the database")
struct PostgresSlotTests {
    private static let noShow = ScheduleFixture.slot.adding(.seconds(120))

    /// Returns the members who may be rematched, of at most `count` rooms.
    private static func candidates(
        _ count: Int64, awayAfter limit: Timestamp?, _ fixture: ScheduleFixture
    ) async throws -> Set<Identifier> {
        try await fixture.pool.transaction { connection in
            let slot = PostgresSlot(
                startsAt: ScheduleFixture.slot, connection: connection, candidates: count)
            return Set(try await slot.members(awayAfter: limit).map(\.registration))
        }
    }

    @Test("of many rooms those with the fewest members are candidates, and none without members")
    func candidates() async throws {
        try await ScheduleFixture.withMatched(8) { fixture, _ in
            let rooms = try await fixture.rooms().values.map { $0.sorted() }
            // One room has a single present member, two have all of theirs, and one is empty and has lost a
            // member.
            try await fixture.arrive([rooms[0][0]] + rooms[1] + rooms[2])
            try await fixture.pool.query(
                "UPDATE members SET left_revision = 2 WHERE registration_id = $1", [rooms[3][0]])
            #expect(
                try await Self.candidates(1, awayAfter: ScheduleFixture.slot, fixture) == Set(rooms[0]))
            #expect(
                try await Self.candidates(3, awayAfter: ScheduleFixture.slot, fixture)
                    == Set(rooms[0] + rooms[1] + rooms[2]))
            // Before that all members are waited for.
            #expect(try await Self.candidates(1, awayAfter: nil, fixture) == [rooms[3][1]])
        }
    }

    @Test("a holder of its lock that stalls loses it soon, also after a large match was planned")
    func idle() async throws {
        try await ScheduleFixture.with(lockTimeout: .seconds(5)) { fixture in
            try await fixture.register(1)
            let setting = try await fixture.store.transaction(on: ScheduleFixture.slot) { slot in
                let slot = try #require(slot as? PostgresSlot)
                try await SlotLock.allow(idle: .seconds(60), on: slot.connection)
                let room = SlotOpening.Room(id: Identifier(value: 1), members: [])
                try await slot.open(
                    SlotOpening(rooms: [room], leftAlone: [], record: nil), at: ScheduleFixture.slot)
                return try await slot.connection.query(
                    "SELECT current_setting('idle_in_transaction_session_timeout')"
                )[0].decode(0, String.self)
            }
            #expect(setting == "5s")
        }
    }

    @Test("what is read in a limited time has that time for all of it")
    func budget() async throws {
        try await ScheduleFixture.with { fixture in
            let budget = TimeBudget(.milliseconds(400))
            await #expect(throws: PostgresError.self) {
                try await fixture.pool.withConnection { connection in
                    for _ in 0..<3 {
                        _ = try await connection.query("SELECT pg_sleep(0.2)", [], within: budget)
                    }
                }
            }
        }
    }

    @Test("a part of a large match has as many people, however large rooms are", arguments: [2, 3, 64])
    func parts(size: Int) throws {
        let configuration = try ServerConfiguration(
            arguments: [], environment: ["ROOM_SIZE": "\(size)"]
        ) { _ in "" }
        let rules = try #require(ScheduleRules(configuration))
        #expect((9_900...10_000).contains(rules.roomsAtOnce * size))
    }
}
