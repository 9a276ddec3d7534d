import Contract
import Reactor
import TestKit
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Postgres
@testable import Scheduling

@Suite("The owners of rooms", .timeLimit(.minutes(5)))
struct RoomOwnersTests {
    static let me = Identifier(value: 0xa)
    static let other = Identifier(value: 0xb)

    /// Runs the body with a matched slot of two rooms, without owners.
    func with(_ body: (ScheduleFixture, [Identifier]) async throws -> Void) async throws {
        try await ScheduleFixture.withMatched(4) { fixture, _ in
            try await body(fixture, try await fixture.rooms().keys.sorted())
        }
    }

    func row(_ room: Identifier, _ fixture: ScheduleFixture) async throws -> [String] {
        let found = try await RoomOwners.terms(of: [room], in: fixture.pool)[room]
        return [found?.owner.map { "\($0.value)" } ?? "none", "\(found?.term ?? -1)"]
    }

    /// Stores a server with a lease of that many seconds, or without one.
    func serve(
        _ id: Identifier, lease: Double?, state: String = "serving", weight: Int32 = 1,
        _ fixture: ScheduleFixture
    ) async throws {
        try await fixture.pool.query(
            """
            INSERT INTO servers (name, alive_at, alive_until, state, weight)
            VALUES ($1, clock_timestamp(), clock_timestamp() + make_interval(secs => $2), $3, $4)
            """, ["\(id)", lease, state, weight])
    }

    // Claims.

    @Test("are claimed once, and a server that comes too late gets nothing")
    func claimed() async throws {
        try await with { fixture, rooms in
            let (pool, room) = (fixture.pool, rooms[0])
            #expect(try await row(room, fixture) == ["none", "0"])
            let first = try await RoomOwners.claim(room, from: nil, term: 0, by: Self.me, in: pool)
            #expect(first == 1)
            // The same process in two tasks at once: it has the room all the same.
            let again = try await RoomOwners.claim(room, from: nil, term: 0, by: Self.me, in: pool)
            #expect(again == 1)
            let late = try await RoomOwners.claim(room, from: nil, term: 0, by: Self.other, in: pool)
            #expect(late == nil)
            let wrongOwner = try await RoomOwners.claim(
                room, from: Identifier(value: 5), term: 1, by: Self.other, in: pool)
            #expect(wrongOwner == nil)
            #expect(try await row(room, fixture) == ["10", "1"])
            #expect(try await RoomOwners.takeLost(of: Self.me, in: pool).isEmpty)
            let none = try await RoomOwners.claim(
                Identifier(value: 3), from: nil, term: 0, by: Self.me, in: pool)
            #expect(none == nil)
        }
    }

    @Test("are claimed together, each for itself")
    func together() async throws {
        try await with { fixture, rooms in
            let pool = fixture.pool
            _ = try await RoomOwners.claim(rooms[0], from: nil, term: 0, by: Self.other, in: pool)
            let claims: [(id: Identifier, term: Int32)] = [
                (rooms[0], 0), (rooms[1], 0), (Identifier(value: 3), 0),
            ]
            let claimed = try await RoomOwners.claim(claims, from: nil, by: Self.me, in: pool)
            #expect(claimed == [rooms[1]: 1])
            // A room that an earlier statement claimed is claimed.
            let again = try await RoomOwners.claim(claims, from: nil, by: Self.me, in: pool)
            #expect(again == [rooms[1]: 1])
            let all = try await RoomOwners.claim(
                [(rooms[0], 1), (rooms[1], 1)], from: Self.other, by: Self.me, in: pool)
            #expect(all == [rooms[0]: 2])
            #expect(try await RoomOwners.takeLost(of: Self.other, in: pool) == [rooms[0]])
        }
    }

    @Test("are claimed by one of many that try at once, together")
    func raceTogether() async throws {
        try await with { fixture, rooms in
            let claims = try await concurrently(1...8) { number in
                try await RoomOwners.claim(
                    (number.isMultiple(of: 2) ? rooms : rooms.reversed()).map { ($0, 0) }, from: nil,
                    by: Identifier(value: UInt128(number)), in: fixture.pool)
            }
            for room in rooms { #expect(claims.compactMap { $0[room] } == [1]) }
        }
    }

    @Test("are claimed by one of many that try at once")
    func race() async throws {
        try await with { fixture, rooms in
            let terms = try await concurrently(1...8) { number in
                try await RoomOwners.claim(
                    rooms[0], from: nil, term: 0, by: Identifier(value: UInt128(number)),
                    in: fixture.pool)
            }
            #expect(terms.compactMap { $0 } == [1])
        }
    }

    @Test("tell the previous owner of a take-over, once it asks, and forget it when the slot is closed")
    func lost() async throws {
        try await with { fixture, rooms in
            let pool = fixture.pool
            for room in rooms {
                _ = try await RoomOwners.claim(room, from: nil, term: 0, by: Self.me, in: pool)
                let term = try await RoomOwners.claim(room, from: Self.me, term: 1, by: Self.other, in: pool)
                #expect(term == 2)
            }
            #expect(try await RoomOwners.takeLost(of: Self.other, in: pool).isEmpty)
            #expect(try await RoomOwners.takeLost(of: Self.me, in: pool).sorted() == rooms)
            #expect(try await RoomOwners.takeLost(of: Self.me, in: pool).isEmpty)
            _ = try await RoomOwners.claim(rooms[0], from: Self.other, term: 2, by: Self.me, in: pool)
            fixture.set(ScheduleFixture.end)
            #expect(try await fixture.close())
            #expect(try await RoomOwners.takeLost(of: Self.other, in: pool).isEmpty)
        }
    }

    @Test(
        "are not taken from an owner that has renewed its lease, or lives, since that was decided",
        arguments: [
            (.leaseIsPast, -1, true, true), (.leaseIsPast, 60, false, false),
            (.leaseIsPast, nil, false, true), (.leaseIsPast, nil, true, false),
            (.processHasEnded, 60, false, true), (.processHasEnded, 60, true, false),
            (.processHasEnded, -1, true, false),
        ] as [(RoomOwners.Ground, Double?, Bool, Bool)])
    func ground(ground: RoomOwners.Ground, lease: Double?, holdsLock: Bool, isTaken: Bool) async throws {
        try await with { fixture, rooms in
            let (pool, room) = (fixture.pool, rooms[0])
            _ = try await RoomOwners.claim(room, from: nil, term: 0, by: Self.other, in: pool)
            try await serve(Self.other, lease: lease, fixture)
            try await pool.withConnection { life in
                if holdsLock { try await life.simple(ServerLife.hold(Self.other)) }
                let term = try await RoomOwners.claim(
                    room, from: Self.other, term: 1, on: ground, by: Self.me, in: pool)
                #expect(term == (isTaken ? 2 : nil))
                #expect(try await row(room, fixture) == (isTaken ? ["10", "2"] : ["11", "1"]))
                #expect(try await RoomOwners.takeLost(of: Self.other, in: pool).isEmpty != isTaken)
                try await life.simple("SELECT pg_advisory_unlock_all()")
            }
        }
    }

    #if DEBUG
        /// A hook that breaks the connection at the first statement that changes an owner.
        private struct Breaking: StatementHook {
            let isDone: Bool
            let error: PostgresError
            let count: Lock<Int>

            func step(before statement: String) -> StatementStep {
                guard statement.contains("SET owner") else { return .send(statement) }
                count.withLock { $0 += 1 }
                return isDone ? .send(statement, then: .close(error)) : .stop(.close(error))
            }
        }

        @Test(
            "are given although the answer is lost, whether or not that took effect",
            arguments: [true, false], [PostgresError.connectionLost("by the test"), .timedOut])
        func doubtfulGift(isDone: Bool, error: PostgresError) async throws {
            try await with { fixture, rooms in
                _ = try await RoomOwners.claim(rooms[0], from: nil, term: 0, by: Self.me, in: fixture.pool)
                let count = Lock(0)
                try await fixture.pool.withConnection { connection in
                    await connection.take(Breaking(isDone: isDone, error: error, count: count))
                }
                let gift = await RoomOwners.give(
                    [(id: rooms[0], term: 1)], of: Self.me, to: Self.other, in: fixture.pool)
                #expect(gift == .given([rooms[0]]) && count.withLock { $0 } == 1)
                #expect(try await row(rooms[0], fixture) == ["11", "2"])
            }
        }

        @Test(
            "are claimed although the answer is lost, whether or not the claim took effect",
            arguments: [true, false], [PostgresError.connectionLost("by the test"), .timedOut])
        func doubt(isDone: Bool, error: PostgresError) async throws {
            try await with { fixture, rooms in
                let count = Lock(0)
                try await fixture.pool.withConnection { connection in
                    await connection.take(Breaking(isDone: isDone, error: error, count: count))
                }
                let term = try await RoomOwners.claim(
                    rooms[0], from: nil, term: 0, by: Self.me, in: fixture.pool)
                #expect(term == 1 && count.withLock { $0 } == 1)
                #expect(try await row(rooms[0], fixture) == ["10", "1"])
            }
        }
    #endif

    @Test("of saved rooms change if no server has owned them since, however often that is asked")
    func saved() async throws {
        try await with { fixture, rooms in
            let pool = fixture.pool
            _ = try await RoomOwners.claim(rooms[0], from: nil, term: 0, by: Self.other, in: pool)
            let saved = [(id: rooms[0], term: Int32(0)), (rooms[1], 0), (Identifier(value: 1), 0)]
            for _ in 0..<2 {
                #expect(try await RoomOwners.claimSaved(saved, by: Self.me, in: pool) == [rooms[1]: 1])
            }
            #expect(try await row(rooms[0], fixture) == ["11", "1"])
            // The next process of the same server finds the term that this one has left.
            let next = try await RoomOwners.claimSaved(
                [(id: rooms[1], term: 1)], by: Identifier(value: 0xc), in: pool)
            #expect(next == [rooms[1]: 2])
            #expect(try await RoomOwners.claimSaved([], by: Self.me, in: pool).isEmpty)
        }
    }

    @Test("are given to another server, but for those that a third one has taken since")
    func given() async throws {
        try await with { fixture, rooms in
            let pool = fixture.pool
            for room in rooms {
                _ = try await RoomOwners.claim(room, from: nil, term: 0, by: Self.me, in: pool)
            }
            _ = try await RoomOwners.claim(
                rooms[1], from: Self.me, term: 1, by: Identifier(value: 0xc), in: pool)
            let gift = await RoomOwners.give(
                rooms.map { ($0, 1) }, of: Self.me, to: Self.other, in: pool)
            #expect(gift == .given([rooms[0]]))
            #expect(try await row(rooms[0], fixture) == ["11", "2"])
            #expect(try await row(rooms[1], fixture) == ["12", "2"])
            // What is not this server's own it cannot give, whatever the term.
            let other = await RoomOwners.give(
                [(id: rooms[1], term: 2)], of: Self.me, to: Self.other, in: pool)
            #expect(other == .given([]))
            #expect(try await row(rooms[1], fixture) == ["12", "2"])
        }
    }

    @Test("stay where they are while the database does not answer")
    func notGiven() async throws {
        try await with { fixture, rooms in
            let pool = PostgresPool(fixture.pool.configuration, on: fixture.pool.loop)
            await pool.shutdown()
            let gift = await RoomOwners.give(
                [(id: rooms[0], term: 1)], of: Self.me, to: Self.other, in: pool)
            #expect(gift == .refused)
        }
    }

    // Matches.

    @Test("are chosen by a match among the servers that serve, and by one that joins people late")
    func matched() async throws {
        try await ScheduleFixture.with { fixture in
            let (gone, drained) = (Identifier(value: 0xc), Identifier(value: 0xd))
            try await serve(Self.me, lease: nil, fixture)
            try await serve(Self.other, lease: 600, fixture)
            try await serve(gone, lease: 1, fixture)
            try await serve(drained, lease: 600, state: "draining", fixture)
            try await fixture.register(80)
            fixture.set(ScheduleFixture.opening)
            let store = PostgresSchedule(pool: fixture.pool, serverName: "\(Self.me)")
            try await fixture.matcher(store: store).match(ScheduleFixture.slot, seed: 1)
            let choice = Rendezvous([Self.me, Self.other].map { Rendezvous.Server(id: $0) })
            var terms = try await RoomOwners.terms(
                of: try await fixture.rooms().keys.sorted(), in: fixture.pool)
            #expect(terms.count == 40 && Set(terms.values.map(\.owner)) == [Self.me, Self.other])
            // Late arrivals open another room.
            try await fixture.register(2)
            try await fixture.matcher(store: store).match(ScheduleFixture.slot, seed: 2)
            terms = try await RoomOwners.terms(
                of: try await fixture.rooms().keys.sorted(), in: fixture.pool)
            #expect(terms.count == 41)
            for (room, found) in terms {
                #expect(found.owner == choice.server(of: room) && found.term == 1)
            }
        }
    }

    @Test("are the server itself where it is alone, and others where it is about to stop")
    func alone() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, _ in
            fixture.set(ScheduleFixture.opening)
            let store = PostgresSchedule(pool: fixture.pool, serverName: "\(Self.me)")
            try await fixture.matcher(store: store).match(ScheduleFixture.slot, seed: 1)
            let room = try #require(try await fixture.rooms().keys.first)
            #expect(try await row(room, fixture) == ["10", "1"])
            try await serve(Self.me, lease: 600, state: "draining", fixture)
            #expect(try await owners(store) == Self.me)
            try await serve(Self.other, lease: 600, fixture)
            #expect(try await owners(store) == Self.other)
        }
    }

    /// Returns the only server that would get rooms.
    private func owners(_ store: PostgresSchedule) async throws -> Identifier? {
        try await store.transaction(on: ScheduleFixture.slot) { slot in
            let choice = try await #require(slot as? PostgresSlot).owners()
            let chosen = Set((0..<50).map { choice.server(of: Identifier(value: UInt128($0))) })
            #expect(chosen.count == 1)
            return chosen.first ?? nil
        }
    }
}

#if DEBUG
    extension PostgresConnection {
        /// Gives the connection a hook.
        fileprivate func take(_ hook: any StatementHook) { self.hook = hook }
    }
#endif
