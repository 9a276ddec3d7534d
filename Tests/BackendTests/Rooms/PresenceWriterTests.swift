import API
import Contract
import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Database
@testable import Rooms
@testable import Scheduling

@Suite("Storing visits", .timeLimit(.minutes(5)))
struct PresenceWriterTests {
    private static let here = Identifier(value: 1)
    private static let there = Identifier(value: 2)

    @Test("entries, presence and counts of one member in two rooms are stored for each room")
    func twoRooms() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            let first = try #require(try await fixture.rooms().keys.first)
            let second = try await move(pair[0], from: first, fixture)
            let writer = fixture.writer("here", log: Self.here)
            let now = fixture.application.now()
            for room in [first, second] {
                await writer.entered(room: room, registration: pair[0], at: now)
                await writer.presenceChanged(room: room, registration: pair[0], present: true)
            }
            await writer.counted([
                AleCount(room: first, ales: 3, members: [.init(registration: pair[0], sent: 3, received: 0)]),
                AleCount(
                    room: second, ales: 5, members: [.init(registration: pair[0], sent: 1, received: 4)]),
            ])
            try await writer.flush()
            // The member had entered the room that it was moved away from all the same, and is there no more.
            #expect(try await stored(pair[0], in: first, fixture) == [3, 0, 1, 0])
            #expect(try await stored(pair[0], in: second, fixture) == [1, 4, 1, 1])
            let ales = try await fixture.pool.query("SELECT ales FROM rooms ORDER BY ales")
            #expect(try ales.map { try $0.decode(0, Int64.self) } == [3, 5])
        }
    }

    @Test("a batch of which it is not known whether it was stored is not counted twice")
    func onceOnly() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            let room = try #require(try await fixture.rooms().keys.first)
            let writer = fixture.writer("here", log: Self.here)
            var batch = PresenceWriter.Batch(id: Scheduler.unguessable())
            batch.ales[room] = 3
            batch.memberAles[PresenceWriter.Member(room: room, registration: pair[0])] = (
                sent: 3, received: 0
            )
            try await writer.store(batch)
            try await writer.store(batch)
            #expect(try await stored(pair[0], in: room, fixture) == [3, 0, 0, 0])
            batch.id = Scheduler.unguessable()
            try await writer.store(batch)
            #expect(try await stored(pair[0], in: room, fixture) == [6, 0, 0, 0])
        }
    }

    @Test("who has gone on to another server does not leave that one when the socket at the first closes")
    func elsewhere() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            let room = try #require(try await fixture.rooms().keys.first)
            let writers = ["here", "there"].map {
                fixture.writer($0, log: $0 == "here" ? Self.here : Self.there)
            }
            for writer in writers {
                await writer.presenceChanged(room: room, registration: pair[0], present: true)
                try await writer.flush()
            }
            for (writer, isPresent) in zip(writers, [Int64(1), 0]) {
                await writer.presenceChanged(room: room, registration: pair[0], present: false)
                try await writer.flush()
                #expect(try await stored(pair[0], in: room, fixture)[3] == isPresent)
            }
            let away = try await fixture.pool.query(
                "SELECT registration_id FROM members WHERE away_since = $1", [fixture.application.now()])
            #expect(try away.map { try $0.decode(0, Identifier.self) } == [pair[0]])
            #expect(try await wasElsewhere(Self.here, fixture))
            #expect(try await !wasElsewhere(Self.there, fixture))
        }
    }

    @Test("a report of a term that has passed is dropped, but members who were present here are away")
    func terms() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            let room = try #require(try await fixture.rooms().keys.first)
            try await fixture.pool.query("UPDATE rooms SET term = 2")
            let (here, there) = (
                fixture.writer("here", log: Self.here), fixture.writer("there", log: Self.there)
            )
            await here.presenceChanged(room: room, registration: pair[0], term: 1, present: true)
            await here.presenceChanged(room: room, registration: pair[1], term: 2, present: true)
            await here.entered(room: room, registration: pair[0], at: fixture.application.now())
            await here.counted([
                AleCount(room: room, ales: 3, members: [.init(registration: pair[0], sent: 3, received: 0)])
            ])
            try await here.flush()
            // Entries and counts are true in any term.
            #expect(try await stored(pair[0], in: room, fixture) == [3, 0, 1, 0])
            #expect(try await stored(pair[1], in: room, fixture)[3] == 1)
            try await fixture.pool.query("UPDATE rooms SET term = 3")
            await there.presenceChanged(room: room, registration: pair[1], term: 2, present: false)
            try await there.flush()
            #expect(try await stored(pair[1], in: room, fixture)[3] == 1)
            await here.presenceChanged(room: room, registration: pair[0], term: 2, present: false)
            await here.presenceChanged(room: room, registration: pair[1], term: 2, present: false)
            try await here.flush()
            #expect(try await stored(pair[1], in: room, fixture)[3] == 0)
            let away = try await fixture.pool.query(
                "SELECT registration_id FROM members WHERE away_since IS NOT NULL")
            #expect(try away.map { try $0.decode(0, Identifier.self) } == [pair[1]])
        }
    }

    @Test(
        "who was in the same room twice has entered the second time, and is present by it",
        arguments: [false, true])
    func backAgain(isPresent: Bool) async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            let room = try #require(try await fixture.rooms().keys.first)
            try await fixture.pool.query(
                "UPDATE members SET left_revision = 2 WHERE registration_id = $1", [pair[0]])
            try await fixture.pool.query(
                "INSERT INTO members (room_id, registration_id, joined_revision) VALUES ($1, $2, 3)",
                [room, pair[0]])
            let writer = fixture.writer("here", log: Self.here)
            await writer.entered(room: room, registration: pair[0], at: fixture.application.now())
            if isPresent { await writer.presenceChanged(room: room, registration: pair[0], present: true) }
            try await writer.flush()
            let entered = try await fixture.pool.query(
                "SELECT joined_revision FROM members WHERE entered_at IS NOT NULL")
            #expect(try entered.map { try $0.decode(0, Int32.self) } == [3])
            let present = try await fixture.pool.query(
                "SELECT joined_revision FROM members WHERE present_on IS NOT NULL")
            #expect(try present.map { try $0.decode(0, Int32.self) } == (isPresent ? [3] : []))
        }
    }

    @Test("the first entry is the one that counts")
    func firstEntry() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            let room = try #require(try await fixture.rooms().keys.first)
            let first = fixture.application.now()
            // After a restart a server may not know yet that a member has entered before.
            for (server, later) in [("before", 0), ("after", 20)] {
                let writer = fixture.writer(server, log: Self.here)
                await writer.entered(room: room, registration: pair[0], at: first.adding(.seconds(later)))
                await writer.presenceChanged(room: room, registration: pair[0], present: true)
                await writer.entered(room: room, registration: pair[1], at: first.adding(.seconds(later)))
                try await writer.flush()
            }
            let entered = try await fixture.pool.query("SELECT entered_at FROM members")
            #expect(try entered.map { try $0.decode(0, Timestamp.self) } == [first, first])
        }
    }

    @Test("a holder of a room finds its members free: a batch waits for the room before it touches them")
    func lockOrder() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            let room = try #require(try await fixture.rooms().keys.first)
            let writer = fixture.writer("here", log: Self.here)
            let member = PresenceWriter.Member(room: room, registration: pair[0])
            let batch = PresenceWriter.Batch(
                id: Scheduler.unguessable(), entries: [member: fixture.application.now()],
                presence: [member: PresenceWriter.Presence(isPresent: true)], ales: [room: 1],
                memberAles: [member: (sent: 1, received: 0)])
            let (hasLocked, locked) = AsyncStream<Void>.makeStream()
            let (mayGoOn, letGoOn) = AsyncStream<Void>.makeStream()
            async let change: Void = fixture.pool.transaction { connection in
                try await connection.query("UPDATE rooms SET revision = revision + 1")
                locked.yield()
                for await _ in mayGoOn { break }
                try await connection.query("SELECT FROM members FOR UPDATE NOWAIT")
            }
            for await _ in hasLocked { break }
            async let storing: Void = writer.store(batch)
            try await fixture.pool.waitForBlocked()
            letGoOn.yield()
            try await change
            try await storing
            #expect(try await stored(pair[0], in: room, fixture) == [1, 0, 1, 1])
        }
    }

    @Test(
        "a holder of the first of several members finds the others free: all are locked in one order",
        arguments: [false, true])
    func memberOrder(movesLog: Bool) async throws {
        try await ScheduleFixture.withMatched(4) { fixture, _ in
            let members = try await fixture.pool.query(
                "SELECT room_id, registration_id FROM members ORDER BY 1, 2"
            ).map { row in
                let (room, registration) = try row.decode(Identifier.self, Identifier.self)
                return PresenceWriter.Member(room: room, registration: registration)
            }
            let (first, last) = (try #require(members.first), try #require(members.last))
            // The first member's row comes to lie behind the others.
            try await fixture.pool.query("UPDATE rooms SET owner = $1", [Self.here])
            try await fixture.pool.query("UPDATE members SET log = $1", [Self.there])
            try await fixture.pool.query(
                "UPDATE members SET ales_sent = 0 WHERE registration_id = $1", [first.registration])
            let writer = fixture.writer("here", log: Self.here)
            let batch = PresenceWriter.Batch(
                id: Scheduler.unguessable(), entries: [last: fixture.application.now()],
                presence: [first: PresenceWriter.Presence(isPresent: true)])
            let (hasLocked, locked) = AsyncStream<Void>.makeStream()
            let (mayGoOn, letGoOn) = AsyncStream<Void>.makeStream()
            async let change: Void = fixture.pool.transaction { connection in
                try await connection.query(
                    "SELECT FROM members WHERE registration_id = $1 FOR UPDATE", [first.registration])
                locked.yield()
                for await _ in mayGoOn { break }
                try await connection.query("SELECT FROM members FOR UPDATE NOWAIT")
            }
            for await _ in hasLocked { break }
            async let storing: Void =
                movesLog
                ? fixture.pool.moveLog(of: members.map(\.room), to: Self.here, by: Self.here)
                : writer.store(batch)
            try await fixture.pool.waitForBlocked()
            letGoOn.yield()
            try await change
            try await storing
        }
    }

    @Test("nothing counts as stored while an earlier batch is under way")
    func inTurn() async throws {
        try await ScheduleFixture.withMatched(4) { fixture, people in
            let rooms = try await fixture.rooms()
            let places = rooms.sorted { $0.key < $1.key }.flatMap { room, people in people.map { (room, $0) }
            }
            let (first, second) = (try #require(places.first), try #require(places.last))
            #expect(first.0 != second.0 && people.count == places.count)
            let writer = fixture.writer("here", log: Self.here)
            let now = fixture.application.now()
            let events = Lock<[String]>([])
            let pool = fixture.pool
            let (hasLocked, locked) = AsyncStream<Void>.makeStream()
            let (mayGoOn, letGoOn) = AsyncStream<Void>.makeStream()
            async let holder: Void = pool.transaction { connection in
                try await connection.query(Self.lockMember, [first.0, first.1])
                locked.yield()
                for await _ in mayGoOn { break }
            }
            for await _ in hasLocked { break }
            await writer.entered(room: first.0, registration: first.1, at: now)
            async let early: Void = writer.flush()
            try await pool.waitForBlocked()
            let running = Task { await writer.run() }
            await writer.entered(room: second.0, registration: second.1, at: now)
            // There is time for another batch, if there were one beside the first.
            for _ in 0..<50 { try await pool.query("SELECT 1") }
            async let late: Void = {
                try await writer.flush()
                events.withLock { $0.append("flushed") }
            }()
            for _ in 0..<50 { try await pool.query("SELECT 1") }
            events.withLock { $0.append("let go") }
            letGoOn.yield()
            try await holder
            try await early
            try await late
            running.cancel()
            await running.value
            #expect(events.withLock { $0 } == ["let go", "flushed"])
            for place in [first, second] {
                #expect(
                    try await stored(place.1, in: place.0, fixture)[2] == 1,
                    "\(place == first ? "the first" : "the second")")
            }
        }
    }

    private static let lockMember = """
        SELECT FROM members WHERE room_id = $1 AND registration_id = $2 FOR UPDATE
        """

    /// Whether a server with the room log may have missed something in its room.
    private func wasElsewhere(_ log: Identifier, _ fixture: ScheduleFixture) async throws -> Bool {
        var memberships: [Membership] = []
        let ids = try await fixture.rooms().keys.sorted()
        try await MembershipReader.read(ids, lead: .seconds(60), log: log, from: fixture.pool) {
            memberships.append($0)
        }
        return try #require(memberships.first).wasElsewhere
    }

    /// Moves a member who has not entered to a new room, as a late arrival does.
    private func move(_ registration: Identifier, from room: Identifier, _ fixture: ScheduleFixture)
        async throws -> Identifier
    {
        try await fixture.pool.query(
            "UPDATE members SET left_revision = 2 WHERE registration_id = $1", [registration])
        let rows = try await fixture.pool.query(
            """
            WITH room AS (
                INSERT INTO rooms (id, starts_at, opened_at) VALUES (gen_random_uuid(), $2, $2) RETURNING id)
            INSERT INTO members (room_id, registration_id) SELECT id, $1 FROM room RETURNING room_id
            """, [registration, ScheduleFixture.slot])
        return try #require(try rows.first?.decode(0, Identifier.self))
    }

    /// Returns the ales sent and received, and 1 or 0 for entered and for present.
    private func stored(
        _ registration: Identifier, in room: Identifier, _ fixture: ScheduleFixture
    ) async throws -> [Int64] {
        let rows = try await fixture.pool.query(
            """
            SELECT ales_sent, ales_received, (entered_at IS NOT NULL)::int::int8,
                (present_on IS NOT NULL)::int::int8
            FROM members WHERE registration_id = $1 AND room_id = $2
            """, [registration, room])
        let row = try #require(rows.first)
        let (sent, received, entered, present) = try row.decode(
            Int64.self, Int64.self, Int64.self, Int64.self)
        return [sent, received, entered, present]
    }
}

extension ScheduleFixture {
    fileprivate func writer(_ server: String, log: Identifier) -> PresenceWriter {
        PresenceWriter(pool: pool, serverName: server, log: log, now: application.now)
    }
}
