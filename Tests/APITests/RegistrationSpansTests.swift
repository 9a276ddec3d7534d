import Codecs
import Contract
import Postgres
import PostgresTesting
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

/// Tests of the writer and the constraint that keep the sessions of one user apart.
@Suite("Sessions that would overlap")
struct RegistrationSpansTests {
    @Test("of requests at once on several connections one is stored, and the others are told of it")
    func race() async throws {
        try await RESTWorld.withLengths { world in
            let ann = try await world.account("Ann")
            let spans = try #require(RegistrationSpans(world.application.configuration))
            let decisions = try await withThrowingTaskGroup(of: [RegistrationWriter.Decision].self) { group in
                for index in 0..<6 {
                    group.addTask {
                        try await world.keep(
                            [world.timed(ann, (30 + index) * 60, index % 2 == 0 ? 25 : 50)], spans)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(decisions.count { $0 == .settled(.registered) } == 1)
            let told = decisions.filter { if case .settled(.overlaps) = $0 { true } else { false } }
            #expect(told.count == 5, "\(decisions)")
            #expect(try await world.count("registrations") == 1)
            #expect(try await world.count("registration_spans") == 1)
        }
    }

    @Test("in a batch a request that overlaps another one waits for its outcome")
    func batch() async throws {
        try await RESTWorld.withLengths { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            let spans = try #require(RegistrationSpans(world.application.configuration))
            let decisions = try await world.keep(
                [world.timed(ann, 1800, 25), world.timed(ann, 2100, 25), world.timed(bea, 2100, 25)], spans)
            #expect(decisions == [.settled(.registered), .again, .settled(.registered)])
            #expect(try await world.count("registrations") == 2)
        }
    }

    @Test("are found although shorter ones came in between, from before the setting")
    func nested() async throws {
        try await RESTWorld.withLengths { world in
            let ann = try await world.account("Ann")
            let spans = try #require(RegistrationSpans(world.application.configuration))
            for (start, minutes) in [(1800, 50), (2100, 25), (2400, 25), (2700, 25)] {
                let before = try await world.keep([world.timed(ann, start, minutes)], nil)
                #expect(before == [.settled(.registered)])
            }
            // The first one alone ends after this one has begun.
            let decisions = try await world.keep([world.timed(ann, 4500, 25)], spans)
            let isTold = decisions.allSatisfy { if case .settled(.overlaps) = $0 { true } else { false } }
            #expect(isTold && decisions.count == 1, "\(decisions)")
        }
    }

    @Test("requests at once are each answered as if they had come one by one")
    func serialisable() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let choices = (0..<80).map { _ in
            (
                user: Int.random(in: 0..<3, using: &random), start: Int.random(in: 6..<40, using: &random),
                minutes: [25, 50].randomElement(using: &random) ?? 25
            )
        }
        try await RESTWorld.withLengths { world in
            let users = [
                try await world.account("A"), try await world.account("B"), try await world.account("C"),
            ]
            let batcher = RegistrationBatcher(
                pool: world.pool, spans: RegistrationSpans(world.application.configuration), changed: { _ in }
            )
            let requests = choices.map { world.timed(users[$0.user], $0.start * 300, $0.minutes) }
            let run = Task { await batcher.run() }
            let outcomes = try await withThrowingTaskGroup(
                of: (RegistrationRequest, RegistrationRequest.Outcome).self
            ) { group in
                for request in requests {
                    group.addTask { (request, try await batcher.register(request)) }
                }
                return try await group.reduce(
                    into: [(RegistrationRequest, RegistrationRequest.Outcome)]()
                ) { $0.append($1) }
            }
            run.cancel()
            let stored = outcomes.filter { $0.1 == .registered }.map(\.0)
            #expect(try await world.count("registrations") == Int64(stored.count), "seed \(seed)")
            for (request, outcome) in outcomes {
                let others = stored.filter {
                    $0.user == request.user && $0.slots[0].id != request.slots[0].id
                        && $0.slots[0].startsAt < request.slots[0].endsAt
                        && request.slots[0].startsAt < $0.slots[0].endsAt
                }
                #expect(others.isEmpty == (outcome == .registered), "seed \(seed): \(outcome)")
            }
        }
    }

    @Test("a server without the extension, and without the right to make it, says which command to run")
    func missingExtension() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { connection in
                _ = try await Migrations.migrator().apply(on: connection)
                let role = "lesser_\(database.name)"
                try await connection.simple("CREATE ROLE \(role); SET ROLE \(role)")
                let error = await #expect(throws: SpansUnavailable.self) {
                    try await RegistrationSpans.prepare(on: connection)
                }
                #expect(error?.description.hasSuffix("run: CREATE EXTENSION btree_gist;") == true)
                #expect(error?.description.contains("SLOT_LENGTHS") == true)
                #expect(error?.description.contains("\n") == false)
                try await connection.simple("RESET ROLE; DROP ROLE \(role)")
                // Twice is no harm, nor is a constraint that exists where the right is missing.
                try await RegistrationSpans.prepare(on: connection)
                try await RegistrationSpans.prepare(on: connection)
            }
        }
    }
}
