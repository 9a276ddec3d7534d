import Contract
import Postgres
import Reactor
import Testing

@testable import API
@testable import Backend
@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Deleting an account, where lists of people are concerned")
struct PeopleDeletionTests {
    @Test("takes away what the user said of others, what they said of the user, and the name")
    func deletes() async throws {
        try await RESTWorld.withThreePeople { world, ann, bea, cid in
            let one = try await world.meet(ann, bea, at: 0)
            let two = try await world.meet(bea, cid, at: 1)
            let three = try await world.meet(ann, cid, at: 2)
            for list in ["blocks", "favourites"] {
                try await world.mark(list, ann, one.theirs)
                try await world.mark(list, bea, one.own)
                try await world.mark(list, bea, two.theirs)
                try await world.mark(list, ann, three.theirs)
                // A removed entry still counts as the user's.
                try await world.mark(list, cid, two.own)
                try await world.send("DELETE", "/v1/\(list)/\(two.own)", token: cid.token)
            }
            #expect(try await world.deleteAccount(bea) == 204)
            for list in ["blocks", "favourites"] {
                let left = try await world.send("GET", "/v1/\(list)", token: ann.token).json()
                #expect(left[list]?.array?.map { $0["name"]?.string } == ["Cid"])
                #expect(try await world.mark(list, ann, one.theirs).problem == "not-found")
            }
            try await world.eraseDeletedAccounts()
            for list in ["blocks", "favourites"] { #expect(try await world.count(list) == 1) }
            try await world.send("GET", "/v1/blocks", token: bea.token, expecting: 401)
        }
    }

    @Test("refuses a block and a favorite of an account that is deleted while they are stored")
    func meanwhile() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let met = try await world.meet(ann, bea, at: 0)
            try await world.pool.query(
                """
                CREATE FUNCTION delete_other() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    UPDATE users SET deleted_at = now() WHERE id = NEW.other_id;
                    RETURN NEW;
                END $$
                """)
            for list in ["blocks", "favourites"] {
                try await world.pool.query(
                    """
                    CREATE TRIGGER delete_other AFTER INSERT ON \(list)
                    FOR EACH ROW EXECUTE FUNCTION delete_other()
                    """)
                #expect(try await world.mark(list, ann, met.theirs).status == 404)
                #expect(try await world.count(list) == 0)
            }
        }
    }

    @Test("also of a person who was noted as left alone and never was in a room")
    func leftAlone() async throws {
        try await RESTWorld.withPerson { world, ann in
            let startsAt = RESTWorld.past(0)
            let own = try await world.registered(ann, startsAt)
            try await world.cancel(own, at: startsAt)
            try await world.pool.query(
                "INSERT INTO left_alone (registration_id, user_id, starts_at) VALUES ($1, $2, $3)",
                [own, ann.id, startsAt])
            #expect(try await world.deleteAccount(ann) == 204)
            try await world.eraseDeletedAccounts()
            #expect(try await world.count("left_alone") == 0)
            #expect(try await world.count("registrations") == 0)
        }
    }

    @Test("waits for who is registering: a room that the user gets meanwhile is left, and the partner told")
    func registering() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let startsAt = world.clock.now
            let theirs = try await world.registered(bea, startsAt)
            let own = Identifier(value: 1)
            let (hasRegistered, registered) = AsyncStream<Void>.makeStream()
            let (mayGoOn, letGoOn) = AsyncStream<Void>.makeStream()
            async let match: Void = world.pool.transaction { connection in
                try await connection.query(
                    """
                    INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
                    VALUES ($1, $2, $3, 'Write', $3, $3)
                    """, [own, ann.id, startsAt])
                registered.yield()
                for await _ in mayGoOn { break }
                try await connection.query(
                    """
                    WITH room AS (
                        INSERT INTO rooms (id, starts_at, opened_at) VALUES (gen_random_uuid(), $1,
                            $1) RETURNING id)
                    INSERT INTO members (room_id, registration_id)
                    SELECT room.id, registrations.id FROM room, registrations WHERE starts_at = $1
                    """, [startsAt])
            }
            for await _ in hasRegistered { break }
            async let status = world.deleteAccount(ann)
            try await world.pool.waitForBlocked()
            letGoOn.yield()
            try await match
            #expect(try await status == 204)
            let left = try await world.pool.query(
                "SELECT FROM members WHERE registration_id = $1 AND left_revision IS NOT NULL", [own])
            #expect(left.count == 1)
            let told = try await world.pool.query(
                "SELECT type FROM notifications WHERE registration_id = $1", [theirs])
            #expect(try told.map { try $0.decode(0, String.self) } == ["room.changed"])
        }
    }

    @Test(
        "does not pass a match under way, whomever that waits for: what is stored refers to something",
        arguments: 0..<4)
    func matching(held: Int) async throws {
        try await RESTWorld.with { world in
            let people = [
                try await world.person("Ann"), try await world.person("Bea"), try await world.person("Cid"),
                try await world.person("Dan"),
            ]
            let slot = RESTWorld.noon.adding(.seconds(1800))
            for person in people { _ = try await world.registered(person, slot) }
            world.clock.now = world.application.rules.opensAt(slot)
            let (hasLocked, locked) = AsyncStream<Void>.makeStream()
            let (mayGoOn, letGoOn) = AsyncStream<Void>.makeStream()
            async let holder: Void = world.pool.transaction { connection in
                try await connection.query("SELECT FROM users WHERE id = $1 FOR UPDATE", [people[held].id])
                locked.yield()
                for await _ in mayGoOn { break }
            }
            for await _ in hasLocked { break }
            async let match = world.matcher().match(slot, seed: 1)
            try await world.pool.waitForBlocked()
            let isDeleted = Lock(false)
            async let status = {
                let status = try await world.deleteAccount(people[0])
                isDeleted.withLock { $0 = true }
                return status
            }()
            try await world.pool.waitForBlocked(2) { isDeleted.withLock { $0 } }
            letGoOn.yield()
            try await holder
            _ = try await match
            #expect(try await status == 204)
            let report = try await world.pool.transaction { connection in
                try await PromiseReport.make(inTransactionOf: connection)
            }
            #expect(report.broken.isEmpty)
            let rooms = try await world.pool.query("SELECT count(*) FROM members GROUP BY room_id")
            #expect(!rooms.isEmpty)
        }
    }

    @Test("between the end of a slot and its closing cancels nothing: who sits in a room took part")
    func afterTheEnd() async throws {
        try await RESTWorld.withPerson { world, ann in
            _ = try await world.meet(ann, try await world.person("Bea"), at: 0)
            try await world.pool.query("UPDATE slots SET closed_at = NULL")
            #expect(try await world.deleteAccount(ann) == 204)
            let torn = try await world.pool.query(
                """
                SELECT FROM registrations JOIN members ON registration_id = registrations.id
                WHERE cancelled_at IS NOT NULL AND left_revision IS NULL
                """)
            #expect(torn.isEmpty)
        }
    }
}

extension RESTWorld {
    /// Returns what matches a slot at its opening.
    fileprivate func matcher() -> SlotMatcher {
        var rules = application.rules
        rules.hasHeadStart = false
        return SlotMatcher(
            rules: rules, clock: LoopClock(pool.loop, now: application.now),
            store: PostgresSchedule(pool: pool, serverName: "here"), makeRoomID: Scheduler.unguessable,
            holder: "here")
    }

    /// Sends `DELETE /v1/me` to a server with rooms; returns the status.
    fileprivate func deleteAccount(_ person: SocialPerson) async throws -> Int {
        try await delete("/v1/me", person.token)
    }
}
