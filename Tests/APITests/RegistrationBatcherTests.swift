import API
import Codecs
import Contract
import Postgres
import Scheduling
import Settings
import Testing

@testable import BackendTesting
@testable import Database

@Suite struct RegistrationBatcherTests {
    @Test("of a request for a place that is taken nothing is written, and its other places stay free")
    func taken() async throws {
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            try await world.store([world.request(ann, [2])])
            try await world.pool.query(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE 'a registration was deleted'; END $$
                """)
            try await world.pool.query(
                "CREATE TRIGGER none_deleted BEFORE DELETE ON registrations EXECUTE FUNCTION refuse()")
            let results = try await world.store([
                world.request(ann, [1, 2]), world.request(ann, [1]), world.request(bea, [1, 2]),
                world.request(ann, [2]),
            ])
            #expect(
                results == [
                    .settled(.taken([1])), .settled(.registered), .settled(.registered),
                    .settled(.taken([0])),
                ])
            #expect(try await world.count("registrations") == 4)
        }
    }

    @Test("a request reads no other person's registrations, however old the statistics are")
    func crowd() async throws {
        try await RESTWorld.withUser { world, ann in
            try await world.store([world.request(ann, Array(1...20))])
            try await world.pool.query("ANALYZE registrations")
            try await world.pool.query(
                """
                WITH person AS (
                    INSERT INTO users (id, name, time_zone, token_hash, created_at)
                    SELECT gen_random_uuid(), 'Bea', 'UTC', sha256(number::text::bytea), now()
                    FROM generate_series(1, 2000) AS number
                    RETURNING id
                )
                INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
                SELECT gen_random_uuid(), person.id, slot.starts_at, 'Write', now(), now()
                FROM person, (SELECT starts_at FROM slots ORDER BY starts_at LIMIT 2) AS slot
                """)
            let users = "(SELECT array_agg(id) FROM (SELECT id FROM users LIMIT 50) AS person)"
            let starts = "(SELECT array_fill(min(starts_at), ARRAY[50]) FROM slots)"
            let ends = "(SELECT array_fill(min(ends_at), ARRAY[50]) FROM slots)"
            for text in [RegistrationWriter.takenSlots, RegistrationSpans.overlapping] {
                let sql = text.replacing("$1::uuid[]", with: users)
                    .replacing("$2::timestamptz[]", with: starts).replacing("$3::timestamptz[]", with: ends)
                let plan = try await world.pool.query("EXPLAIN " + sql).map { try $0.decode(0, String.self) }
                let access = plan.filter { $0.contains("on registrations") }
                let isOfUsers = access.allSatisfy {
                    $0.contains(#/ using registrations_(by_user|one_live) /#)
                }
                #expect(!access.isEmpty && isOfUsers, "\(plan.joined(separator: "\n"))")
            }
        }
    }

    @Test(
        "a prepared statement with the plan of a small table reads no other person's registrations either")
    func oldPlan() async throws {
        try await RESTWorld.withUser { world, ann in
            try await world.store([world.request(ann, Array(1...20))])
            try await world.pool.query("ANALYZE registrations")
            let settings =
                try PostgresConfiguration(url: "").preparing(only: []).sessionSettings
                + [(name: "plan_cache_mode", value: "force_generic_plan")]
            let lookup =
                "EXPLAIN EXECUTE lookup(ARRAY['\(ann)']::uuid[], ARRAY[timestamptz '\(RESTWorld.noon)'])"
            let plan = try await world.pool.transaction { connection in
                for (name, value) in settings {
                    try await connection.simple("SET LOCAL \(name) = '\(value)'")
                }
                try await connection.simple("PREPARE lookup AS \(RegistrationWriter.takenSlots)")
                // The first use makes the plan.
                try await connection.simple(lookup)
                return try await connection.query(lookup).map { try $0.decode(0, String.self) }
            }
            let access = plan.filter { $0.contains("on registrations") }
            let isOfUsers = access.allSatisfy { $0.contains(#/ using registrations_(by_user|one_live) /#) }
            #expect(!access.isEmpty && isOfUsers, "\(plan.joined(separator: "\n"))")
        }
    }

    @Test(
        "the statements of a batch are prepared, and but for the lookup of registrations planned five times")
    func kept() async throws {
        try await RESTWorld.with { world in
            let configuration = world.pool.configuration.sized(1).preparing(
                only: RegistrationWriter.preparedStatements)
            let pool = PostgresPool(configuration, on: world.pool.loop)
            let limit = RegistrationLimit(ServerConfiguration(cores: 1))
            for slot in 1...12 {
                let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
                let requests = [world.request(ann, [slot]), world.request(bea, Array(slot...(slot + 3)))]
                let (decisions, _) = try await pool.transaction { connection in
                    try await RegistrationWriter.write(requests, nil, limit, waits: false, on: connection)
                }
                #expect(decisions.allSatisfy { $0 == .settled(.registered) })
            }
            let kept = try await pool.query(
                "SELECT statement, generic_plans, custom_plans FROM pg_prepared_statements")
            #expect(
                try Set(kept.map { try $0.decode(0, String.self) })
                    == RegistrationWriter.preparedStatements.subtracting([
                        RegistrationInsertion.insertRegistrations
                    ]))
            for statement in kept {
                let (text, generic, custom) = try statement.decode(String.self, Int64.self, Int64.self)
                if text == RegistrationWriter.takenSlots { continue }
                #expect(generic >= 7 && custom == 5, "\(generic) and \(custom): \(text)")
            }
            await pool.shutdown()
        }
    }

    @Test("a slot whose registration is just being cancelled is taken, and blocks no request")
    func cancelling() async throws {
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            try await world.store([world.request(ann, [1])])
            // A cancellation in an open room may wait long for the lock of the notifications.
            let results = try await world.pool.transaction { connection in
                try await connection.query("UPDATE registrations SET cancelled_at = now()")
                return try await world.store([world.request(ann, [1]), world.request(bea, [1])])
            }
            #expect(results == [.settled(.taken([0])), .settled(.registered)])
        }
    }

    @Test("a request that gave way to one that was taken back in the end is to be tried again")
    func givesWay() async throws {
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            let code = try #require(InviteCode(Base64URL.encode([UInt8](repeating: 1, count: 32))))
            var uninvited = world.request(ann, [1])
            uninvited.intent = RegistrationRequest.Intent(with: nil, quiet: nil, invite: (code, roomSize: 2))
            let results = try await world.store([
                uninvited, world.request(ann, [1, 2]), world.request(bea, [1]), world.request(ann, [3]),
            ])
            #expect(
                results == [
                    .settled(.inviteUnusable), .again, .settled(.registered), .settled(.registered),
                ])
            #expect(try await world.count("registrations") == 2)
        }
    }

    @Test("a user that another transaction holds blocks no other one, and is answered when it is over")
    func heldUser() async throws {
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            let batcher = RegistrationBatcher(
                pool: world.pool, limits: RegistrationBatcher.Limits(patience: .milliseconds(1)),
                changed: { _ in })
            let run = Task { await batcher.run() }
            let first = try await world.pool.transaction { connection in
                try await connection.query("SELECT FROM users WHERE id = $1 FOR UPDATE", [ann])
                let first = Task { try await batcher.register(world.request(ann, [1])) }
                while await batcher.waiting == 0 { await Task.yield() }
                for slot in 1...3 {
                    #expect(try await batcher.register(world.request(bea, [slot])) == .registered)
                }
                return first
            }
            #expect(try await first.value == .registered)
            run.cancel()
        }
    }

    @Test("many requests of a user who is held do not block one that is stored alone, either")
    func turns() async throws {
        #expect(RegistrationBatcher.turns([1, 2, 3, 4, 5]) { $0 < 4 } == [4, 5, 1, 2, 3])
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            let batcher = RegistrationBatcher(pool: world.pool, changed: { _ in })
            let run = Task { await batcher.run() }
            let code = try #require(InviteCode(Base64URL.encode([UInt8](repeating: 1, count: 32))))
            var invited = world.request(bea, [1])
            invited.intent = RegistrationRequest.Intent(with: nil, quiet: nil, invite: (code, roomSize: 2))
            let waiting = try await world.pool.transaction { [invited] connection in
                try await connection.query("SELECT FROM users WHERE id = $1 FOR UPDATE", [ann])
                let waiting = (1...20).map { slot in
                    Task { try await batcher.register(world.request(ann, [slot])) }
                }
                while await batcher.waiting < 20 { await Task.yield() }
                #expect(try await batcher.register(invited) == .inviteUnusable)
                return waiting
            }
            for request in waiting { #expect(try await request.value == .registered) }
            run.cancel()
        }
    }

    @Test("a slot that another clock has closed cannot be had, and nothing else of the request either")
    func closed() async throws {
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            try await world.store([world.request(ann, [1])])
            try await world.pool.query("UPDATE slots SET closed_at = now()")
            let results = try await world.store([
                world.request(bea, [1, 2]), world.request(bea, [2]), world.request(ann, [1]),
            ])
            #expect(results == [.settled(.over([0])), .settled(.registered), .settled(.over([0]))])
            #expect(try await world.count("registrations") == 2)
        }
    }

    @Test(
        "requests at once are answered as if they came one by one, with one transaction at a time or two",
        arguments: [1, 2])
    func serialisable(transactions: Int) async throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let choices = (0..<60).map { _ in
            (
                user: Int.random(in: 0..<3, using: &random),
                slots: Set(
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        Int.random(in: 0..<8, using: &random)
                    })
            )
        }
        try await RESTWorld.with { world in
            let users = [
                try await world.account("A"), try await world.account("B"), try await world.account("C"),
            ]
            let batcher = RegistrationBatcher(
                pool: world.pool,
                limits: RegistrationBatcher.Limits(batch: 8, transactions: transactions), changed: { _ in })
            let requests = choices.map { world.request(users[$0.user], $0.slots.sorted()) }
            let stored = try await withThrowingTaskGroup(of: (RegistrationRequest, Bool)?.self) { group in
                group.addTask {
                    await batcher.run()
                    return nil
                }
                for request in requests {
                    group.addTask { (request, try await batcher.register(request) == .registered) }
                }
                var stored: [RegistrationRequest] = []
                for _ in requests {
                    if case (let request, true)?? = try await group.next() { stored.append(request) }
                }
                group.cancelAll()
                return stored
            }
            // The stored rows are exactly those that were answered, and every refusal had a reason.
            #expect(
                try await world.count("registrations") == Int64(stored.flatMap(\.slots).count),
                "seed \(seed)")
            for request in requests where !stored.contains(where: { $0.slots[0].id == request.slots[0].id }) {
                let taken = stored.filter { $0.user == request.user }.flatMap(\.slots).map(\.startsAt)
                #expect(request.slots.contains { taken.contains($0.startsAt) }, "seed \(seed)")
            }
        }
    }

    @Test("one request of a deleted user does not fail the others, nor does one that cannot be stored")
    func spoiled() async throws {
        try await RESTWorld.withUser { world, ann in
            try await world.pool.query("ALTER TABLE registrations ADD CHECK (task <> 'Spoil')")
            var spoiling = world.request(ann, [1])
            spoiling.task = "Spoil"
            let requests =
                [world.request(Identifier(value: 1), [1]), spoiling]
                + (2...20).map { world.request(ann, [$0]) }
            let outcomes = try await world.register(requests)
            #expect(outcomes[0] == .success(.unknownUser))
            #expect(throws: PostgresError.self) { try outcomes[1].get() }
            #expect(outcomes[2...].allSatisfy { $0 == .success(.registered) })
            #expect(try await world.count("registrations") == 19)
        }
    }

    @Test("requests whose callers have gone take no place in a transaction")
    func gone() async throws {
        try await RESTWorld.with { world in
            let ann = try await world.account("Ann")
            let batcher = RegistrationBatcher(
                pool: world.pool, limits: RegistrationBatcher.Limits(batch: 2), changed: { _ in })
            for slot in 1...5 {
                let caller = Task { try await batcher.register(world.request(ann, [slot])) }
                while await batcher.waiting == 0 { await Task.yield() }
                caller.cancel()
                await #expect(throws: CancellationError.self) { try await caller.value }
            }
            async let outcome = batcher.register(world.request(ann, [6]))
            while await batcher.waiting == 0 { await Task.yield() }
            let run = Task { await batcher.run() }
            #expect(try await outcome == .registered)
            run.cancel()
        }
    }

    @Test("beyond the queue's bound, and after the end, the answer is that the service is unavailable")
    func bounds() async throws {
        try await RESTWorld.withUser { world, ann in
            let none = RegistrationBatcher(
                pool: world.pool, limits: RegistrationBatcher.Limits(waiting: 0, batch: 1), changed: { _ in })
            await #expect(throws: PostgresError.unavailable("0 registrations wait already")) {
                try await none.register(world.request(ann, [1]))
            }
            let ended = RegistrationBatcher(pool: world.pool, changed: { _ in })
            let run = Task { await ended.run() }
            run.cancel()
            await run.value
            await #expect(throws: PostgresError.unavailable("shutting down")) {
                try await ended.register(world.request(ann, [1]))
            }
        }
    }

    @Test("a caller that is cancelled returns, also while no batch is stored")
    func cancelled() async throws {
        try await RESTWorld.with { world in
            let request = world.request(try await world.account("Ann"), [1])
            let batcher = RegistrationBatcher(pool: world.pool, changed: { _ in })
            let caller = Task { try await batcher.register(request) }
            caller.cancel()
            await #expect(throws: CancellationError.self) { try await caller.value }
        }
    }
}

extension RESTWorld {
    /// Lends a world to the body, and an account in it.
    static func withUser(
        _ body: @Sendable (RESTWorld, _ ann: Identifier) async throws -> Void
    ) async throws {
        try await with { try await body($0, try await $0.account("Ann")) }
    }

    func account(_ name: String) async throws -> Identifier {
        let token = try #require(APIToken(try await signUp(name)))
        return try #require(try await SignedInUser.find(token, in: pool)).id
    }

    /// Returns a request for slots that start that many half-hours from now.
    func request(_ user: Identifier, _ slots: [Int]) -> RegistrationRequest {
        var random = SystemRandomNumberGenerator()
        let requested = slots.map { slot in
            let startsAt = clock.now.adding(.seconds(1800 * slot))
            return RequestedSlot(
                id: .v7(at: clock.now, using: &random), startsAt: startsAt,
                endsAt: application.rules.endsAt(startsAt), adjusted: nil)
        }
        return RegistrationRequest(
            user: user, task: "Write", tag: nil, createdAt: clock.now, slots: requested)
    }

    /// Registers requests as one batch, and returns their outcomes.
    func register(
        _ requests: [RegistrationRequest]
    ) async throws -> [Result<RegistrationRequest.Outcome, PostgresError>] {
        let batcher = RegistrationBatcher(pool: pool, changed: { _ in })
        return try await withThrowingTaskGroup(
            of: (Int, Result<RegistrationRequest.Outcome, PostgresError>).self
        ) { group in
            for (index, request) in requests.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await batcher.register(request)))
                    } catch let error as PostgresError {
                        return (index, .failure(error))
                    }
                }
            }
            while await batcher.waiting < requests.count { await Task.yield() }
            let run = Task { await batcher.run() }
            defer { run.cancel() }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.map(
                \.value)
        }
    }

    @discardableResult
    func store(_ requests: [RegistrationRequest]) async throws -> [RegistrationWriter.Decision] {
        try await pool.transaction { try await RegistrationWriter.write(requests, on: $0) }.0
    }
}
