import Contract
import Reactor
import Testing

@testable import Backend
@testable import Database

@Suite struct RecentFiguresTests {
    @Test("however many ask, the database is asked once in five seconds, and a failure is no reason to hurry")
    func once() async {
        let clock = Lock(Timestamp(seconds: 1_800_000_000))
        let asked = Lock(0)
        let read: @Sendable () async -> EndpointFigures? = {
            let number = asked.withLock { count in
                count += 1
                return count
            }
            for _ in 0..<100 { await Task.yield() }
            return number == 2 ? nil : EndpointFigures(waiting: number)
        }
        let figures = RecentFigures(now: { clock.withLock { $0 } }, read: read)
        for expected in [1, nil, 3] {
            let answers = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<300 { group.addTask { await figures.current()?.waiting } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: expected, count: 300))
            clock.withLock { $0 = $0.adding(.seconds(5)) }
        }
        #expect(asked.withLock { $0 } == 3)
    }
}
