import Contract
import Reactor
import Testing

@testable import Client

@Suite("The token of a client")
struct TokenKeeperTests {
    private struct Unforeseen: Error, CustomStringConvertible {
        let description = "the keychain is locked"
    }

    @Test("is the given one, without asking a source, and has no other without a source")
    func fixed() async throws {
        let keeper = TokenKeeper("t")
        #expect(try await keeper.token() == "t")
        #expect(try await keeper.replacement(for: "t") == nil)
        #expect(try await TokenKeeper(nil).token() == nil)
        #expect(try await TokenKeeper("t") { _ in throw Unforeseen() }.token() == "t")
    }

    @Test(
        "is missing where its source fails, which is told as the source says it",
        arguments: [
            (ClientError.network("No way."), "network", "No way."),
            (CancellationError(), "cancelled", "It was cancelled."),
            (Unforeseen(), "problem:unauthenticated", "There is no token: the keychain is locked."),
        ] as [(any Error & Sendable, String, String)])
    func failing(error: any Error & Sendable, kind: String, detail: String) async throws {
        let failures = Lock(2)
        let keeper = TokenKeeper(nil) { _ in
            let left = failures.withLock { left in
                left -= 1
                return left
            }
            if left >= 0 { throw error }
            return "t"
        }
        for _ in 0..<2 {
            let thrown = await #expect(throws: ClientError.self) { try await keeper.token() }
            #expect(thrown?.kind == kind && thrown?.detail == detail)
        }
        #expect(try await keeper.token() == "t")
    }

    @Test("stays where its source has none, or the same again, and the next call asks again")
    func noOther() async throws {
        let answers = Lock<[String?]>([nil, "old", "new"])
        let asked = Lock<[String?]>([])
        let keeper = TokenKeeper("old") { refused in
            asked.withLock { $0.append(refused) }
            return answers.withLock { $0.removeFirst() }
        }
        #expect(try await keeper.replacement(for: "old") == nil)
        #expect(keeper.known == "old")
        #expect(try await keeper.replacement(for: "old") == nil)
        #expect(try await keeper.replacement(for: "old") == "new")
        // A call that was on its way with the old one meanwhile.
        #expect(try await keeper.replacement(for: "old") == "new")
        #expect(keeper.known == "new")
        #expect(asked.withLock { $0 } == ["old", "old", "old"])
    }

    @Test("is asked for once, however many calls wait for it", arguments: ["new", "old", nil])
    func once(answer: String?) async throws {
        let group = try EventLoopGroup(count: 1, name: "callers")
        defer { group.shutdown() }
        let asked = Lock(0)
        let gate = PendingResult<String?>()
        let keeper = TokenKeeper("old") { _ in
            asked.withLock { $0 += 1 }
            return try await gate.value()
        }
        let loop = group.loops[0]
        // The loop runs tasks in the order in which they were made: all wait when the last one begins.
        let calls = (0..<100).map { number in
            Task(executorPreference: loop) {
                try await number == 50 ? keeper.token() : keeper.replacement(for: "old")
            }
        }
        let last = Task(executorPreference: loop) { gate.settle(.success(answer)) }
        for (number, call) in calls.enumerated() {
            #expect(try await call.value == (number == 50 || answer == "new" ? answer : nil))
        }
        await last.value
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("comes for the others where one stops waiting, and is not lost where all do")
    func cancelled() async throws {
        let group = try EventLoopGroup(count: 1, name: "callers")
        defer { group.shutdown() }
        let asked = Lock(0)
        let gate = PendingResult<String?>()
        let keeper = TokenKeeper(nil) { _ in
            asked.withLock { $0 += 1 }
            return try await gate.value()
        }
        let loop = group.loops[0]
        let (first, second) = (
            Task(executorPreference: loop) { try await keeper.token() },
            Task(executorPreference: loop) { try await keeper.token() }
        )
        await Task(executorPreference: loop) { first.cancel() }.value
        await #expect(throws: ClientError.cancelled) { try await first.value }
        gate.settle(.success("t"))
        #expect(try await second.value == "t")
        #expect(try await keeper.token() == "t")
        #expect(asked.withLock { $0 } == 1)
    }
}
