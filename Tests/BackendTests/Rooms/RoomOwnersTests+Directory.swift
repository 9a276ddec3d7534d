import Contract
import Postgres
import Reactor
import Scheduling
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Rooms

extension RoomOwnersTests {
    /// Returns a directory of the process, which runs on the fixture's loop.
    private func directory(
        _ id: Identifier, _ fixture: ScheduleFixture, _ pool: PostgresPool? = nil
    ) async -> RoomDirectory {
        let (pool, now) = (pool ?? fixture.pool, fixture.application.now)
        return await RoomDirectory(
            fixture.application, pool: pool,
            writer: PresenceWriter(pool: pool, serverName: "\(id)", log: id, now: now), log: id,
            incarnation: id, loops: [pool.loop], file: nil)
    }

    @Test("are found at an entry: a room without owner is claimed, and one of a server with a lease is there")
    func entered() async throws {
        try await with { fixture, rooms in
            let mine = await directory(Self.me, fixture)
            let theirs = await directory(Self.other, fixture)
            #expect(try await mine.locate(Identifier(value: 3)) == .unknown)
            // Reading alone opens nothing.
            try await mine.read(rooms)
            #expect(await mine.terms(of: rooms).isEmpty)
            #expect(try await mine.locate(rooms[0]) == .here)
            #expect(try await mine.locate(rooms[0]) == .here)
            #expect(await mine.terms(of: rooms) == [rooms[0]: 1])
            try await serve(Self.me, lease: -60, fixture)
            #expect(try await theirs.locate(rooms[0]) == .elsewhere(owner: Self.me, term: 1))
            #expect(await theirs.terms(of: rooms).isEmpty)
            #expect(try await theirs.take(rooms[0], from: Self.me, term: 1, on: .processHasEnded))
            #expect(try await theirs.locate(rooms[0]) == .here)
            #expect(await theirs.terms(of: rooms) == [rooms[0]: 2])
            // The previous owner still has the room, and learns that it lost it.
            #expect(await mine.terms(of: rooms) == [rooms[0]: 1])
            try await mine.giveUpLost(in: fixture.pool)
            #expect(await mine.terms(of: rooms).isEmpty)
        }
    }

    @Test("are known while they are read for a knock, so that a change of them is not missed")
    func readAtKnock() async throws {
        try await with { fixture, rooms in
            let mine = await directory(Self.me, fixture)
            let knocking = try await fixture.pool.transaction { blocker in
                try await blocker.simple("LOCK TABLE slots IN ACCESS EXCLUSIVE MODE")
                let knocking = Task { try await mine.locate(rooms[0]) }
                try await fixture.pool.waitForBlocked()
                #expect(await mine.known(among: rooms) == [rooms[0]])
                return knocking
            }
            #expect(try await knocking.value == .here)
            #expect(try await mine.locate(Identifier(value: 3)) == .unknown)
            #expect(await mine.known(among: [rooms[0], Identifier(value: 3)]) == [rooms[0]])
        }
    }

    @Test("that have ended are nowhere, also before their slot is closed")
    func ended() async throws {
        try await with { fixture, rooms in
            let mine = await directory(Self.me, fixture)
            #expect(try await mine.locate(rooms[0]) == .here)
            let end = try await fixture.pool.query("SELECT max(ends_at) FROM slots")
            fixture.set(try end[0].decode(0, Timestamp.self))
            #expect(try await mine.locate(rooms[0]) == .unknown)
            #expect(try await mine.locate(rooms[1]) == .unknown)
            #expect(try await row(rooms[1], fixture)[0] == "none")
        }
    }

    @Test("that a stopping server has left are not claimed by it again, and it keeps what it has of them")
    func leftWhileStopping() async throws {
        try await with { fixture, rooms in
            let mine = await directory(Self.me, fixture)
            #expect(try await mine.locate(rooms[0]) == .here)
            await mine.drain()
            try await RoomOwners.free(of: Self.me, in: fixture.pool)
            #expect(try await mine.locate(rooms[0]) == .unknown)
            #expect(try await row(rooms[0], fixture) == ["none", "1"])
            #expect(await mine.terms(of: rooms) == [rooms[0]: 1])
        }
    }

    @Test("that were lost are given up later where they could not be read at first")
    func unreadLost() async throws {
        try await with { fixture, rooms in
            var impatient = fixture.pool.configuration
            impatient.lockTimeout = .milliseconds(50)
            let pool = PostgresPool(impatient, on: fixture.pool.loop)
            let mine = await directory(Self.me, fixture, pool)
            let theirs = await directory(Self.other, fixture)
            #expect(try await mine.locate(rooms[0]) == .here)
            #expect(try await theirs.take(rooms[0], from: Self.me, term: 1, on: .leaseIsPast))
            try await fixture.pool.transaction { blocker in
                try await blocker.simple("LOCK TABLE slots IN ACCESS EXCLUSIVE MODE")
                await #expect(throws: (any Error).self) { try await mine.giveUpLost(in: pool) }
            }
            #expect(await mine.terms(of: rooms) == [rooms[0]: 1])
            try await mine.giveUpLost(in: pool)
            #expect(await mine.terms(of: rooms).isEmpty)
            await pool.shutdown()
        }
    }

    @Test("that were taken over wait for the whole pause, however long the claim takes")
    func slowClaim() async throws {
        try await with { fixture, rooms in
            let (mine, theirs) = (await directory(Self.me, fixture), await directory(Self.other, fixture))
            let (room, loop) = (rooms[0], fixture.pool.loop)
            @Sendable func pass(_ pause: Duration) async {
                await withCheckedContinuation { passed in
                    loop.execute { loop.schedule(after: pause) { passed.resume() } }
                }
            }
            @Sendable func isFrozen() async -> Bool {
                await loop.submit { theirs.host(of: room).rooms[room]?.flow == .frozen }
            }
            #expect(try await mine.locate(room) == .here)
            // The pause of this ground.
            let pause = Duration.seconds(2)
            let taking = try await fixture.pool.transaction { blocker in
                try await blocker.query("SELECT FROM rooms WHERE id = $1 FOR UPDATE", [room])
                let taking = Task { try await theirs.take(room, from: Self.me, term: 1, on: .leaseIsPast) }
                try await fixture.pool.waitForBlocked()
                await pass(pause)
                return taking
            }
            #expect(try await taking.value)
            #expect(try await theirs.locate(room) == .here)
            #expect(await isFrozen())
            await pass(pause)
            #expect(await isFrozen() == false)
        }
    }

    @Test("that were handed over are on the disk of the new owner, even if it was not told of them")
    func untold() async throws {
        try await with { fixture, rooms in
            let (mine, theirs) = (await directory(Self.me, fixture), await directory(Self.other, fixture))
            let (room, pool) = (rooms[0], fixture.pool)
            #expect(try await mine.locate(room) == .here)
            try await pool.query("UPDATE members SET log = $1 WHERE room_id = $2", [Self.me, room])
            let leaving = await mine.leave(devices: 100, rooms: 10, except: []).rooms
            let state = RoomTransfer.encode(leaving, mine.layout)
            let arriving = try #require(theirs.arriving(in: state))
            #expect(await theirs.keep(arriving) == [room])
            #expect(await mine.give(leaving, to: Self.other) == .given([room]))
            // The first member comes before the call that tells of the rooms.
            #expect(try await theirs.locate(room) == .here)
            let elsewhere = "SELECT FROM members WHERE room_id = $1 AND log IS DISTINCT FROM $2"
            #expect(try await pool.query(elsewhere, [room, Self.other]).isEmpty)
            #expect(theirs.unmovedLogs.withLock { $0 }.isEmpty)
        }
    }

    @Test("that were handed over are noted later where the database does not take the note at first")
    func noteFails() async throws {
        try await with { fixture, rooms in
            var impatient = fixture.pool.configuration
            impatient.lockTimeout = .milliseconds(50)
            let pool = PostgresPool(impatient, on: fixture.pool.loop)
            let mine = await directory(Self.me, fixture)
            let theirs = await directory(Self.other, fixture, pool)
            let room = rooms[0]
            #expect(try await mine.locate(room) == .here)
            try await pool.query("UPDATE members SET log = $1 WHERE room_id = $2", [Self.me, room])
            let leaving = await mine.leave(devices: 100, rooms: 10, except: []).rooms
            let arriving = try #require(theirs.arriving(in: RoomTransfer.encode(leaving, mine.layout)))
            _ = await theirs.keep(arriving)
            _ = await mine.give(leaving, to: Self.other)
            try await fixture.pool.transaction { blocker in
                try await blocker.query("SELECT FROM members WHERE room_id = $1 FOR UPDATE", [room])
                await #expect(throws: (any Error).self) { try await theirs.openArriving([room]) }
            }
            #expect(await theirs.terms(of: [room]) == [room: 2])
            #expect(theirs.unmovedLogs.withLock { $0 } == [room])
            try await theirs.read([room])
            let elsewhere = "SELECT FROM members WHERE room_id = $1 AND log IS DISTINCT FROM $2"
            #expect(try await pool.query(elsewhere, [room, Self.other]).isEmpty)
            await pool.shutdown()
        }
    }

    @Test("are read by their owner alone where a change event names them")
    func changed() async throws {
        try await with { fixture, rooms in
            // Its own pool, which ends, so that reads fail.
            let pool = PostgresPool(fixture.pool.configuration, on: fixture.pool.loop)
            let mine = await directory(Self.me, fixture, pool)
            let theirs = await directory(Self.other, fixture, pool)
            _ = try await RoomOwners.claim(rooms[0], from: nil, term: 0, by: Self.me, in: pool)
            for directory in [mine, theirs] { try await directory.refreshAll() }
            await pool.shutdown()
            var changes = PendingChanges()
            for room in rooms { changes.insert(.room(room)) }
            try await theirs.refresh(changes)
            await #expect(throws: (any Error).self) { try await mine.refresh(changes) }
        }
    }

    @Test("are read in advance by each server for itself, and what is open here is checked with it")
    func inAdvance() async throws {
        try await with { fixture, rooms in
            let (mine, theirs) = (await directory(Self.me, fixture), await directory(Self.other, fixture))
            _ = try await RoomOwners.claim(rooms[0], from: nil, term: 0, by: Self.me, in: fixture.pool)
            _ = try await RoomOwners.claim(rooms[1], from: nil, term: 0, by: Self.other, in: fixture.pool)
            var opened = PendingChanges()
            opened.insert(.opened(ScheduleFixture.slot, by: ChangeEvent.noProcess))
            try await mine.refresh(opened)
            #expect(await mine.terms(of: rooms) == [rooms[0]: 1])
            try await theirs.refreshAll()
            #expect(await theirs.terms(of: rooms) == [rooms[1]: 1])
            await mine.refresh(rooms)
            #expect(await mine.terms(of: rooms) == [rooms[0]: 1])
            // A room that was taken is found by reading everything, although it is no longer among one's own.
            _ = try await RoomOwners.claim(
                rooms[0], from: Self.me, term: 1, by: Self.other, in: fixture.pool)
            try await mine.refreshAll()
            #expect(await mine.terms(of: rooms).isEmpty)
        }
    }
}
