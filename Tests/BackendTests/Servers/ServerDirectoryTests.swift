import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("The directory of servers")
struct ServerDirectoryTests {
    private static let (one, other) = (Identifier(value: 1), Identifier(value: 2))

    private static func own(_ incarnation: Identifier, _ label: String? = nil) -> ServerDirectory.Own {
        ServerDirectory.Own(
            incarnation: incarnation, address: "http://10.0.0.1:\(incarnation.value)", label: label,
            weight: 3, version: "9.9", boot: Identifier(value: 77))
    }

    private static func with(_ body: (ServerDirectory, ScheduleFixture) async throws -> Void) async throws {
        try await ScheduleFixture.with { try await body(ServerDirectory(pool: $0.pool), $0) }
    }

    @Test("a server that renews its lease is read by the others, with what they have to know")
    func renewed() async throws {
        try await Self.with { directory, _ in
            let first = try await directory.renew(Self.own(Self.one, "a"))
            #expect(first.isNew && first.others.isEmpty && first.nextStart == nil)
            let second = try await directory.renew(Self.own(Self.other))
            var entry = try #require(second.others.first)
            let left = try #require(entry.leaseLeft)
            #expect(left > .seconds(-60) && left <= ServerDirectory.lease)
            entry.leaseLeft = nil
            #expect(
                entry
                    == ServerEntry(
                        name: "\(Self.one)", address: "http://10.0.0.1:1", label: "a", weight: 3,
                        version: "9.9"))
            #expect(second.others.count == 1 && entry.incarnation == Self.one)
            #expect(try await !directory.renew(Self.own(Self.one)).isNew)
        }
    }

    @Test("a renewal extends the lease, and never shortens it")
    func extended() async throws {
        try await Self.with { directory, fixture in
            _ = try await directory.renew(Self.own(Self.one))
            try await fixture.pool.query("UPDATE servers SET alive_until = alive_until - interval '1 hour'")
            #expect(try await directory.read(Self.one)?.entry.isAlive == false)
            _ = try await directory.renew(Self.own(Self.one))
            let lease = try await directory.read(Self.one)?.entry.leaseLeft
            #expect(try #require(lease) > .seconds(-60))
            try await fixture.pool.query("UPDATE servers SET alive_until = alive_until + interval '1 hour'")
            _ = try await directory.renew(Self.own(Self.one))
            #expect(try await directory.read(Self.one)?.entry.leaseLeft ?? .zero > .seconds(3000))
        }
    }

    @Test("a renewal does not wait for the disk, and leaves the connection as it was")
    func relaxed() async throws {
        try await Self.with { directory, fixture in
            _ = try await directory.renew(Self.own(Self.one))
            let setting = try await fixture.pool.query("SHOW synchronous_commit").first
            #expect(try setting?.decode(0, String.self) == "on")
        }
    }

    @Test("a renewal says when the next slot begins, as long as one is not closed")
    func nextStart() async throws {
        try await Self.with { directory, fixture in
            try await fixture.register(1)
            #expect(try await directory.renew(Self.own(Self.one)).nextStart == ScheduleFixture.slot)
            try await fixture.pool.query("UPDATE slots SET closed_at = ends_at")
            #expect(try await directory.renew(Self.own(Self.one)).nextStart == nil)
        }
    }

    @Test("a server of the previous version has no lease")
    func previous() async throws {
        try await Self.with { directory, fixture in
            try await fixture.pool.query(
                "INSERT INTO servers (name, alive_at, label) VALUES ('host:1', clock_timestamp(), NULL)")
            let others = try await directory.renew(Self.own(Self.one)).others
            #expect(others == [ServerEntry(name: "host:1")])
            #expect(others.first?.isAlive == false && others.first?.incarnation == nil)
        }
    }

    @Test("the lock of a process is held for as long as its connection is there")
    func lock() async throws {
        try await Self.with { directory, fixture in
            #expect(try await directory.read(Self.one) == nil)
            _ = try await directory.renew(Self.own(Self.one))
            #expect(try await directory.read(Self.one)?.isLockFree == true)
            let life = try await PostgresConnection.connect(fixture.pool.configuration, on: fixture.pool.loop)
            try await life.simple(ServerLife.hold(Self.one))
            #expect(try await directory.read(Self.one)?.isLockFree == false)
            await life.close()
            // The other end of the connection takes a moment to notice it.
            while try await directory.read(Self.one)?.isLockFree == false {}
        }
    }

    @Test("an operator sees all servers, which of them run, and how many rooms each owns")
    func listed() async throws {
        try await Self.with { directory, fixture in
            #expect(try await directory.list().servers.isEmpty)
            _ = try await directory.renew(Self.own(Self.one, "b"))
            _ = try await directory.renew(Self.own(Self.other, "a"))
            try await fixture.pool.query(
                "INSERT INTO servers (name, alive_at, label) VALUES ('host:1', clock_timestamp(), NULL)")
            try await fixture.registerAndMatch(6)
            let rooms = try await fixture.rooms().keys.sorted()
            func own(_ room: Int, _ owner: Identifier?) async throws {
                try await fixture.pool.query(
                    "UPDATE rooms SET owner = $2 WHERE id = $1", [rooms[room], owner])
            }
            try await own(0, Self.one)
            try await own(1, nil)
            try await own(2, Identifier(value: 9))
            func list() async throws -> (rows: [String], otherRooms: Int64) {
                let (servers, otherRooms) = try await directory.list()
                return (
                    servers.map { "\($0.entry.shownName) \($0.isRunning) \($0.rooms)" }, otherRooms
                )
            }
            var found = try await list()
            #expect(found.rows == ["a true 0", "b true 1", "host:1 false 0"])
            #expect(found.otherRooms == 2)
            // An idle server has no lease most of the time, and a connection all the time.
            try await fixture.pool.query("UPDATE servers SET alive_until = now() - interval '1 hour'")
            try await fixture.pool.withConnection { life in
                try await life.simple(ServerLife.hold(Self.other))
                found = try await list()
                try await life.simple("SELECT pg_advisory_unlock_all()")
            }
            #expect(found.rows == ["a true 0", "b false 1", "host:1 false 0"])
            try await fixture.pool.query("UPDATE slots SET closed_at = ends_at")
            #expect(try await directory.list().otherRooms == 0)
        }
    }

    @Test("one that leaves has no lease any more, and gets no rooms")
    func leaves() async throws {
        try await Self.with { directory, _ in
            _ = try await directory.renew(Self.own(Self.one))
            try await directory.leave(Self.one)
            let entry = try #require(try await directory.read(Self.one)?.entry)
            #expect(!entry.isAlive && entry.leaseLeft != nil && entry.state == .draining)
        }
    }
}
