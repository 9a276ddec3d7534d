import Contract
import Postgres
import Reactor
import Scheduling
import Testing

@testable import API
@testable import BackendTesting

@Suite("Where COMMIT's answer is lost", .timeLimit(.minutes(1)))
struct LostCommitTests {
    private static let slot = "2027-03-01T12:30:00Z"

    @Test("of a registration, its slots are looked at")
    func registering() async throws {
        try await RESTWorld.withAccount { world, token in
            try await world.loseCommits(of: "INSERT ON registrations")
            let answer = try await world.book(token, [Self.slot])
            #expect(answer.status == 503)
            #expect(world.changeEvents.withLock { $0 } == [.slot(try #require(Timestamp(Self.slot)))])
        }
    }

    @Test("of a new name, the account and the rooms that show it are looked at")
    func renaming() async throws {
        try await RESTWorld.with { world in
            let (token, _, room) = try await world.pair()
            let account = ChangeEvent.account(try await world.user(token))
            try await world.loseCommits(of: "UPDATE ON users")
            try await world.send("PATCH", "/v1/me", token: token, body: #"{"name":"Anna"}"#, expecting: 503)
            #expect(world.changeEvents.withLock { $0 } == [account, .room(room)])
        }
    }

    @Test("of a cancellation, the room is looked at, and what it tells")
    func cancelling() async throws {
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.pair()
            try await world.loseCommits(of: "UPDATE ON registrations")
            try await world.leave("/v1/registrations/\(registration)", token)
            let left = ChangeEvent.left(world.clock.now)
            #expect(
                world.changeEvents.withLock { Set($0) } == [.notifications, .presence, .room(room), left])
        }
    }

    @Test("of the end of an account, its rooms are looked at, its sessions, and what it tells")
    func deleting() async throws {
        try await RESTWorld.with { world in
            let (token, _, room) = try await world.pair()
            let rows = try await world.pool.query("SELECT id FROM users WHERE name = 'Ann'")
            let ann = try rows[0].decode(0, Identifier.self)
            try await world.loseCommits(of: "UPDATE ON registrations")
            try await world.leave("/v1/me", token)
            let left = ChangeEvent.left(world.clock.now)
            #expect(
                world.changeEvents.withLock { Set($0) } == [.user(ann), .notifications, .room(room), left])
        }
    }
}

extension RESTWorld {
    /// Makes the connection break while such a change is committed, and forgets earlier change events.
    func loseCommits(of change: String) async throws {
        try await pool.query(
            """
            CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$
            """)
        try await pool.query(
            """
            CREATE CONSTRAINT TRIGGER die AFTER \(change)
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()
            """)
        changeEvents.withLock { $0 = [] }
    }

    /// Puts two people into an open room; returns the token and the registration of the first.
    fileprivate func pair() async throws -> (token: String, registration: Identifier, room: Identifier) {
        let slot = clock.now.description
        let (ann, bea) = (try await signUp("Ann"), try await signUp("Bea"))
        let ids = [try await register(ann, slot), try await register(bea, slot)]
        return (ann, ids[0], try await open(ids, at: slot))
    }

    /// Sends `DELETE` to a server with rooms, and expects a 503, since the commit's answer is lost.
    fileprivate func leave(_ path: String, _ token: String) async throws {
        let status = try await delete(path, token)
        #expect(status == 503)
    }
}
