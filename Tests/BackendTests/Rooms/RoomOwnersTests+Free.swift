import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

/// Rooms whose owner has ended by itself.
extension RoomOwnersTests {
    @Test("have no owner once theirs has ended by itself, in the same terms, and others keep theirs")
    func freed() async throws {
        try await with { fixture, rooms in
            let pool = fixture.pool
            _ = try await RoomOwners.claim(rooms[0], from: nil, term: 0, by: Self.me, in: pool)
            _ = try await RoomOwners.claim(rooms[1], from: nil, term: 0, by: Self.other, in: pool)
            try await RoomOwners.free(of: Self.me, in: pool)
            #expect(try await row(rooms[0], fixture) == ["none", "1"])
            #expect(try await row(rooms[1], fixture) == ["\(Self.other.value)", "1"])
            // The next process on the same disk has the room by its term, as if it had an owner.
            let saved = try await RoomOwners.claimSaved([(rooms[0], 1)], by: Self.other, in: pool)
            #expect(saved == [rooms[0]: 2])
            // A slot that is closed stays as it was.
            try await fixture.pool.query("UPDATE slots SET closed_at = now()")
            try await RoomOwners.free(of: Self.other, in: pool)
            #expect(try await row(rooms[1], fixture) == ["\(Self.other.value)", "1"])
        }
    }

    @Test("without an owner are taken by a server that starts, if no other serves, up to its limit")
    func takenFree() async throws {
        try await with { fixture, rooms in
            let (pool, now) = (fixture.pool, fixture.application.now())
            try await serve(Self.me, lease: 5, fixture)
            try await serve(Self.other, lease: -60, fixture)
            #expect(try await RoomOwners.takeFree(by: Self.me, at: now, limit: 9, in: pool) == 0)
            try await pool.query("UPDATE servers SET state = 'draining' WHERE name = $1", ["\(Self.other)"])
            #expect(try await RoomOwners.takeFree(by: Self.me, at: now, limit: 1, in: pool) == 1)
            #expect(try await row(rooms[0], fixture) == ["\(Self.me.value)", "1"])
            #expect(try await row(rooms[1], fixture) == ["none", "0"])
            #expect(try await RoomOwners.takeFree(by: Self.me, at: now, limit: 9, in: pool) == 1)
            #expect(try await RoomOwners.takeFree(by: Self.me, at: now, limit: 9, in: pool) == 0)
        }
    }

    @Test("without an owner that were entered are left to the server that has their logs")
    func enteredAndFree() async throws {
        try await with { fixture, rooms in
            let (pool, now) = (fixture.pool, fixture.application.now())
            _ = try await RoomOwners.claim(rooms[0], from: nil, term: 0, by: Self.me, in: pool)
            try await pool.query("UPDATE members SET entered_at = now() WHERE room_id = $1", [rooms[0]])
            try await RoomOwners.free(of: Self.me, in: pool)
            #expect(try await RoomOwners.takeFree(by: Self.other, at: now, limit: 9, in: pool) == 1)
            #expect(try await row(rooms[0], fixture) == ["none", "1"])
            let saved = try await RoomOwners.claimSaved([(rooms[0], 1)], by: Self.me, in: pool)
            #expect(saved == [rooms[0]: 2])
        }
    }

    @Test("without an owner that are over, or that an operator has closed, are left")
    func notTaken() async throws {
        try await with { fixture, rooms in
            let (pool, now) = (fixture.pool, fixture.application.now())
            let end = now.adding(.seconds(86_400))
            #expect(try await RoomOwners.takeFree(by: Self.me, at: end, limit: 9, in: pool) == 0)
            try await pool.query("UPDATE rooms SET closed_early_at = now() WHERE id = $1", [rooms[0]])
            #expect(try await RoomOwners.takeFree(by: Self.me, at: now, limit: 9, in: pool) == 1)
            #expect(try await row(rooms[0], fixture) == ["none", "0"])
        }
    }
}
