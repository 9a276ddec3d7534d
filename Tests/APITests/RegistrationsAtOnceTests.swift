import Codecs
import Contract
import Postgres
import Scheduling
import Settings
import Synchronization
import Testing

@testable import BackendTesting
@testable import Database

/// Requests with all that they may have, at two servers at once.
@Suite struct RegistrationsAtOnceTests {
    private static let allowed = 5

    /// A request of the test, with what it asked for.
    private struct Asked: Sendable {
        var request: RegistrationRequest
        var key: String?
        var invite: InviteCode?
        var outcome = RegistrationRequest.Outcome.unknownUser

        var isStored: Bool { outcome == .registered }
    }

    @Test(
        "with limits, idempotency keys and invites, each is answered as if they had come one by one",
        arguments: [0, allowed])
    func serialisable(limit: Int) async throws {
        let seed = UInt64.random(in: .min ... .max)
        try await RESTWorld.with { world in
            var random = SplitMix64(seed: seed)
            let host = try await world.account("Host")
            var invites: [InviteCode] = []
            for slot in 20..<24 { invites.append(try await Self.invite(world, host, to: slot, &random)) }
            var users: [Identifier] = []
            for name in ["A", "B", "C", "D"] { users.append(try await world.account(name)) }
            let asked = (0..<80).map { _ in Self.ask(world, users, invites, &random) }
            let outcomes = try await Self.register(asked, limit: limit, world, seed)
            let stored = outcomes.filter(\.isStored)
            #expect(
                try await world.count("registrations")
                    == Int64(invites.count + stored.flatMap(\.request.slots).count), "seed \(seed)")
            #expect(
                try await world.count("idempotency_keys") == Int64(stored.count { $0.key != nil }),
                "seed \(seed)")
            #expect(
                try await world.count("invites WHERE used_at IS NOT NULL")
                    == Int64(stored.count { $0.invite != nil }), "seed \(seed)")
            for one in outcomes {
                #expect(Self.isRight(one, among: stored, outcomes, limit: limit), "seed \(seed): \(one)")
            }
        }
    }

    @Test("of two guests of one party, each with an invite of their own, as many come as the room takes")
    func oneParty() async throws {
        try await RESTWorld.with { world in
            var random = SplitMix64(seed: 1)
            let hosts = [try await world.account("Ann"), try await world.account("Bea")]
            var invites: [InviteCode] = []
            for host in hosts { invites.append(try await Self.invite(world, host, to: 1, &random)) }
            try await world.pool.query(
                """
                INSERT INTO intents (registration_id, invited_by)
                SELECT max(id::text)::uuid, min(id::text)::uuid FROM registrations
                """)
            var requests: [RegistrationRequest] = []
            for (name, code) in zip(["Cid", "Dan"], invites) {
                var request = world.request(try await world.account(name), [1])
                request.intent = RegistrationRequest.Intent(
                    with: nil, quiet: nil, invite: (code, roomSize: 3))
                requests.append(request)
            }
            let later = try await world.pool.transaction { [requests] connection in
                let first = try await RegistrationWriter.write([requests[0]], on: connection).0
                #expect(first == [.settled(.registered)])
                let isOver = Mutex(false)
                let later = Task {
                    defer { isOver.withLock { $0 = true } }
                    return try await world.store([requests[1]])
                }
                try await world.pool.waitForBlocked { isOver.withLock { $0 } }
                return later
            }
            #expect(try await later.value == [.settled(.inviteUnusable)])
            #expect(try await world.count("invites WHERE used_at IS NULL") == 1)
        }
    }

    private static func ask(
        _ world: RESTWorld, _ users: [Identifier], _ invites: [InviteCode], _ random: inout SplitMix64
    ) -> Asked {
        let user = Int.random(in: 0..<users.count, using: &random)
        let count = Int.random(in: 1...3, using: &random)
        let slots = Set((0..<count).map { _ in Int.random(in: 1..<17, using: &random) })
        var asked = Asked(request: world.request(users[user], slots.sorted()))
        if Int.random(in: 0..<3, using: &random) == 0 {
            let key = "\(user) \(Int.random(in: 0..<6, using: &random))"
            asked.key = key
            asked.request.kept = (
                IdempotencyKey(
                    key, of: .user(users[user]), method: "POST", path: "/v1/registrations", body: [],
                    at: world.clock.now), KeptAnswer(status: 201, fieldText: "", body: [])
            )
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            asked.invite = invites.randomElement(using: &random)
            asked.request.intent = RegistrationRequest.Intent(
                with: nil, quiet: nil, invite: asked.invite.map { ($0, roomSize: 2) })
        }
        return asked
    }

    /// Registers all requests at once, at two servers, and returns them with their outcomes.
    private static func register(
        _ asked: [Asked], limit: Int, _ world: RESTWorld, _ seed: UInt64
    ) async throws -> [Asked] {
        var configuration = ServerConfiguration(cores: 1)
        configuration.accountRegistrations = limit
        let rule = RegistrationLimit(configuration)
        let servers = (0..<2).map { _ in
            RegistrationBatcher(
                pool: world.pool, limit: rule,
                limits: RegistrationBatcher.Limits(batch: 8, transactions: 2), changed: { _ in })
        }
        let running = servers.map { server in Task { await server.run() } }
        defer { for server in running { server.cancel() } }
        return try await withThrowingTaskGroup(of: Asked.self) { group in
            for (index, var one) in asked.enumerated() {
                group.addTask {
                    one.outcome = try await servers[index % 2].register(one.request)
                    return one
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Whether there is a reason for an outcome: nothing is cancelled, so that a reason of one moment is one
    /// at the end, too.
    private static func isRight(_ one: Asked, among stored: [Asked], _ all: [Asked], limit: Int) -> Bool {
        let request = one.request
        let others = stored.filter { $0.request.slots[0].id != request.slots[0].id }
        let theirs = others.filter { $0.request.user == request.user }.flatMap(\.request.slots)
        let isTaken = { (slot: RequestedSlot) in theirs.contains { $0.startsAt == slot.startsAt } }
        switch one.outcome {
        case .registered:
            return !request.slots.contains(where: isTaken)
                && (limit == 0 || theirs.count + request.slots.count <= limit)
                && (one.key == nil || !others.contains { $0.key == one.key })
                && (one.invite == nil || !others.contains { $0.invite == one.invite })
        case .taken(let slots): return !slots.isEmpty && slots.allSatisfy { isTaken(request.slots[$0]) }
        case .tooMany: return limit > 0 && theirs.count + request.slots.count > limit
        // The other request with the key may have been refused in the end.
        case .keyUnderWay: return one.key != nil && all.count { $0.key == one.key } > 1
        case .inviteUnusable: return one.invite != nil && others.contains { $0.invite == one.invite }
        case .overlaps, .over, .tooSeldom, .tooManyToday, .leftTwice, .unknownUser: return false
        }
    }

    /// Registers a person for a slot, and returns an invite to meet them there.
    private static func invite(
        _ world: RESTWorld, _ host: Identifier, to slot: Int, _ random: inout SplitMix64
    ) async throws -> InviteCode {
        let request = world.request(host, [slot])
        try await world.store([request])
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let code = try #require(InviteCode(Base64URL.encode(bytes)))
        try await world.pool.query(
            "INSERT INTO invites (hash, registration_id, created_at) VALUES ($1, $2, now())",
            [code.hash, request.slots[0].id])
        return code
    }
}
