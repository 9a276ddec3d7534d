import Contract
import Crypto
import Postgres
import Reactor
import TestKit
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("The removal of the rows of deleted accounts")
struct DeletedAccountFaultTests {
    private static let slot = "2027-03-01T13:00:00Z"

    /// Makes an account with a registration that was cancelled, and deletes it. Returns its id.
    private static func deleted(_ name: String, in world: RESTWorld) async throws -> Identifier {
        let person = try await world.person(name)
        try await world.cancel(try await world.register(person.token, slot), person.token)
        try await world.delete("/v1/me", person.token, expecting: 204)
        return person.id
    }

    private static func erasure(_ world: RESTWorld) -> AccountErasure {
        AccountErasure(pool: world.pool, now: world.application.now)
    }

    private static func marked(_ world: RESTWorld) async throws -> [Identifier] {
        try await world.pool.query("SELECT id FROM users WHERE deleted_at IS NOT NULL ORDER BY id")
            .map { try $0.decode(0, Identifier.self) }
    }

    @Test("goes on with other accounts if a statement fails for one, and with that one later")
    func failure() async throws {
        try await RESTWorld.with { world in
            let names = ["Ann", "Bea", "Cem"]
            var ids: [Identifier] = []
            for name in names { ids.append(try await Self.deleted(name, in: world)) }
            ids.sort()
            for statement in [
                """
                CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$
                """,
                """
                CREATE TRIGGER planted BEFORE DELETE ON registrations
                FOR EACH ROW WHEN (OLD.user_id = '\(ids[0])') EXECUTE FUNCTION fail()
                """,
            ] { try await world.pool.query(statement) }
            let outcome = try await Self.erasure(world).step(after: nil)
            guard case .failed(ids[0], let error) = outcome else {
                throw TestError("\(String(describing: outcome))")
            }
            #expect(error.contains("planted"))
            try await AccountErasureWorker(Self.erasure(world)).removeAll()
            #expect(try await Self.marked(world) == [ids[0]])
            try await world.pool.query("DROP TRIGGER planted ON registrations")
            try await AccountErasureWorker(Self.erasure(world)).removeAll()
            #expect(try await Self.marked(world) == [])
        }
    }

    @Test("and that of an old slot lock rows in one order, and end in no deadlock")
    func lockOrder() async throws {
        try await RESTWorld.with { world in
            let account = try await Self.deleted("Ann", in: world)
            for statement in [
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id)
                SELECT user_id, 'slot.alone', created_at, id FROM registrations
                """,
                "UPDATE slots SET closed_at = ends_at, closing_at = ends_at",
                // The removal of the slot pauses after it has deleted notifications.
                """
                CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF current_setting('test.pauses', true) = 'yes' THEN
                        PERFORM pg_advisory_xact_lock(4711);
                    END IF;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE TRIGGER pauses AFTER DELETE ON notifications
                FOR EACH STATEMENT EXECUTE FUNCTION pause()
                """,
            ] { try await world.pool.query(statement) }
            let removal = SlotRemoval(startsAt: try #require(Timestamp(Self.slot)))
            let isStepped = Lock(false)
            @Sendable func removePart() async throws -> SlotRemoval.Counts {
                try await world.pool.transaction { connection in
                    try await connection.query("SELECT set_config('test.pauses', 'yes', true)")
                    return try await removal.removePart(on: connection)
                }
            }
            @Sendable func step() async throws -> AccountErasure.Outcome? {
                let outcome = try await Self.erasure(world).step(after: nil)
                isStepped.withLock { $0 = true }
                return outcome
            }
            try await world.pool.withConnection { holder in
                try await holder.query("SELECT pg_advisory_lock(4711)")
                async let removed = removePart()
                try await world.pool.waitForBlocked(1)
                async let stepped = step()
                // It waits for the removal, or passes over what that holds.
                try await world.pool.waitForBlocked(2, unless: { isStepped.withLock { $0 } })
                try await holder.query("SELECT pg_advisory_unlock(4711)")
                let (counts, outcome) = (try await removed, try await stepped)
                #expect(counts.registrations == 1)
                #expect(outcome == .waits(account))
            }
            try await AccountErasureWorker(Self.erasure(world)).removeAll()
            #expect(try await Self.marked(world) == [])
        }
    }

    @Test("cancels what a server of the previous release registers for a deleted account")
    func registeredAgain() async throws {
        try await RESTWorld.with { world in
            let account = try await Self.deleted("Ann", in: world)
            let (seated, waiting) = (Identifier(value: 1), Identifier(value: 2))
            for (id, start) in [(seated, "2027-03-05T09:00:00Z"), (waiting, "2027-03-05T09:30:00Z")] {
                let startsAt = try #require(Timestamp(start))
                try await world.pool.query(
                    "INSERT INTO slots (starts_at, ends_at) VALUES ($1, $2)",
                    [startsAt, startsAt.adding(.seconds(1800))])
                try await world.pool.query(
                    """
                    INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
                    VALUES ($1, $2, $3, 'Again', $4, $4)
                    """, [id, account, startsAt, world.clock.now])
            }
            _ = try await world.open([seated], at: "2027-03-05T09:00:00Z")
            try await world.eraseDeletedAccounts()
            let left = try await world.pool.query(
                """
                SELECT id, user_id IS NULL AND task IS NULL AND cancelled_at IS NOT NULL FROM registrations
                """)
            #expect(try left.map { try $0.decode(0, Identifier.self) } == [seated])
            #expect(try left.first?.decode(1, Bool.self) == true)
        }
    }

    @Test("finds no endpoint that a request stored after the deletion: it is refused")
    func storedEndpoint() async throws {
        try await RESTWorld.withAccount { world, text in
            let token = try #require(APIToken(text))
            let user = try #require(try await SignedInUser.find(token.hash, in: world.pool))
            try await world.delete("/v1/me", text, expecting: 204)
            let url = "https://example.org/hook"
            let new = CheckedEndpoint(
                Endpoint(
                    id: Identifier(value: 7), kind: .webhook, url: url, types: nil,
                    createdAt: world.clock.now),
                address: url, host: "example.org:443", secret: .make())
            let error = await #expect(throws: APIError.self) {
                try await world.pool.transaction { connection in
                    try await EndpointWriter.put(new, of: user, on: connection)
                }
            }
            #expect(error?.problem.detail == APIError.accountDeleted.problem.detail)
            #expect(try await world.count("endpoints") == 0)
        }
    }
}
