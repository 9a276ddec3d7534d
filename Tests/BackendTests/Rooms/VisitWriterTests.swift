import Contract
import Postgres
import Rooms
import Testing

@testable import Backend

@Suite("Storing visits", .timeLimit(.minutes(15)))
struct VisitWriterTests {
    @Test("entries, presence and counts of one member in two rooms are stored for each room")
    func twoRooms() async throws {
        try await ScheduleFixture.with { fixture in
            let pair = try await fixture.register(2)
            fixture.set(ScheduleFixture.opening)
            try await fixture.match()
            let first = try #require(try await fixture.rooms().keys.first)
            let second = try await move(pair[0], from: first, fixture)
            let writer = VisitWriter(pool: fixture.pool, serverName: "here")
            let now = fixture.application.now()
            for room in [first, second] {
                await writer.entered(room: room, registration: pair[0], at: now)
                await writer.presenceChanged(room: room, registration: pair[0], present: room == second)
            }
            await writer.counted([
                AleCount(room: first, ales: 3, members: [.init(registration: pair[0], sent: 3, received: 0)]),
                AleCount(
                    room: second, ales: 5, members: [.init(registration: pair[0], sent: 1, received: 4)]),
            ])
            try await writer.flush()
            #expect(try await stored(pair[0], in: first, fixture) == [3, 0, 0, 0])
            #expect(try await stored(pair[0], in: second, fixture) == [1, 4, 1, 1])
            let ales = try await fixture.pool.query("SELECT ales FROM rooms ORDER BY ales")
            #expect(try ales.map { try $0.decode(0, Int64.self) } == [3, 5])
        }
    }

    @Test("a batch of which it is not known whether it was stored is not counted twice")
    func onceOnly() async throws {
        try await ScheduleFixture.with { fixture in
            let pair = try await fixture.register(2)
            fixture.set(ScheduleFixture.opening)
            try await fixture.match()
            let room = try #require(try await fixture.rooms().keys.first)
            let writer = VisitWriter(pool: fixture.pool, serverName: "here")
            var batch = VisitWriter.Batch(id: Scheduler.unguessable())
            batch.ales[room] = 3
            batch.memberAles[VisitWriter.Seat(room: room, registration: pair[0])] = (sent: 3, received: 0)
            try await writer.store(batch)
            try await writer.store(batch)
            #expect(try await stored(pair[0], in: room, fixture) == [3, 0, 0, 0])
            batch.id = Scheduler.unguessable()
            try await writer.store(batch)
            #expect(try await stored(pair[0], in: room, fixture) == [6, 0, 0, 0])
        }
    }

    /// As a late arrival moves somebody who has not entered.
    private func move(_ registration: UUID, from room: UUID, _ fixture: ScheduleFixture) async throws -> UUID
    {
        try await fixture.pool.query(
            "UPDATE members SET left_revision = 2 WHERE registration_id = $1", [registration])
        let rows = try await fixture.pool.query(
            """
            WITH room AS (
                INSERT INTO rooms (id, starts_at, opened_at) VALUES (gen_random_uuid(), $2, $2) RETURNING id)
            INSERT INTO members (room_id, registration_id) SELECT id, $1 FROM room RETURNING room_id
            """, [registration, ScheduleFixture.slot])
        return try #require(try rows.first?.decode(0, UUID.self))
    }

    /// Sent, received, whether entered, whether present.
    private func stored(
        _ registration: UUID, in room: UUID, _ fixture: ScheduleFixture
    ) async throws -> [Int64] {
        let rows = try await fixture.pool.query(
            """
            SELECT ales_sent, ales_received, (entered_at IS NOT NULL)::int::int8, (present_on IS NOT NULL)::int::int8
            FROM members WHERE registration_id = $1 AND room_id = $2
            """, [registration, room])
        let row = try #require(rows.first)
        let (sent, received, entered, present) = try row.decode(
            Int64.self, Int64.self, Int64.self, Int64.self)
        return [sent, received, entered, present]
    }
}
