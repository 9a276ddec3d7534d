import Codecs
import Contract
import Postgres
import Reactor
import TestKit
import Testing

@testable import BackendTesting
@testable import Database

@Suite struct RecentFiguresTests {
    @Test("however many ask, the database is asked once in five seconds, and a failure is no reason to hurry")
    func once() async {
        let clock = Lock(Timestamp(seconds: 1_800_000_000))
        let asked = Lock(0)
        let read: @Sendable () async -> Int? = {
            let number = asked.countUp()
            for _ in 0..<100 { await Task.yield() }
            return number == 2 ? nil : number
        }
        let figures = RecentFigures(now: { clock.withLock { $0 } }, read: read)
        for expected in [1, nil, 3] {
            let answers = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<300 { group.addTask { await figures.current() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: expected, count: 300))
            clock.withLock { $0 = $0.adding(.seconds(5)) }
        }
        #expect(asked.withLock { $0 } == 3)
    }

    @Test("no caller waits for long if the database hangs, and it is asked once", .timeLimit(.minutes(1)))
    func hanging() async throws {
        try await RESTWorld.with { world in
            let asked = Lock(0)
            let figures = RecentFigures(now: { world.clock.now }, patience: .milliseconds(200)) {
                asked.withLock { $0 += 1 }
                return try? await EndpointFigures.read(from: world.pool, at: world.clock.now)
            }
            try await world.pool.transaction { connection in
                // Each reader of the table has to wait while this transaction holds the lock.
                try await connection.query("LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE")
                for _ in 0..<3 { #expect(await figures.current()?["deliveries_waiting"] == nil) }
            }
            try await eventually(equals: 0) { await figures.current()?["deliveries_waiting"] }
            #expect(asked.withLock { $0 } == 1)
        }
    }

    @Test("what takes long to read is kept for twenty times as long, and a failure for five seconds")
    func thrift() async {
        let start = Timestamp(seconds: 1_800_000_000)
        let clock = Lock(start)
        let asked = Lock(0)
        let read: @Sendable () async -> Int? = {
            clock.withLock { $0 = $0.adding(.seconds(3)) }
            let number = asked.countUp()
            return number == 2 ? nil : number
        }
        let figures = RecentFigures(now: { clock.withLock { $0 } }, read: read)
        for (seconds, expected) in [(0, 1), (62, 1), (63, nil), (70, nil), (71, 3), (133, 3), (134, 4)] {
            clock.withLock { $0 = start.adding(.seconds(seconds)) }
            #expect(await figures.current() == expected, "after \(seconds) s")
        }
    }
}
