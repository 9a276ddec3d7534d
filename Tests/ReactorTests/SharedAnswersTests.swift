import Reactor
import TestKit
import Testing

@Suite("Questions that are asked at the same time", .timeLimit(.minutes(2)))
struct SharedAnswersTests {
    private struct Failure: Error {}

    /// Runs the body with answers of which the first comes when `open` is called, and with the questions of
    /// each answer so far.
    private func with(
        _ body: (SharedAnswers<Int, String>, Lock<[[Int]]>, _ open: () -> Void) async throws -> Void
    ) async throws {
        let group = try EventLoopGroup(count: 1, name: "answers")
        defer { group.shutdown() }
        let asked = Lock<[[Int]]>([])
        let (gate, opening) = AsyncStream<Never>.makeStream()
        let answers = SharedAnswers<Int, String>(on: group.loops[0]) { questions in
            let count = asked.withLock { asked in
                asked.append(questions.sorted())
                return asked.count
            }
            if count == 1 { for await _ in gate {} }
            if questions.contains(13) { throw Failure() }
            return Dictionary(uniqueKeysWithValues: questions.filter { $0 > 0 }.map { ($0, "\($0)") })
        }
        try await body(answers, asked) { opening.finish() }
    }

    @Test("share an answer that is looked for after all of them")
    func shared() async throws {
        try await with { answers, asked, open in
            async let first = answers.ask(1)
            try await eventually(equals: 1) { asked.withLock { $0.count } }
            // The answer to the first one may be too old for the others, also for the same question.
            let others = [1, 2, 2, 0].map { number in Task { try await answers.ask(number) } }
            try await eventually(equals: 4) { await answers.waitingCount }
            open()
            #expect(try await first == "1")
            var found: [String?] = []
            for other in others { found.append(try await other.value) }
            #expect(found == ["1", "2", "2", nil])
            #expect(asked.withLock { $0 } == [[1], [0, 1, 2]])
        }
    }

    @Test("share a failure, which is over with the next question")
    func failure() async throws {
        try await with { answers, asked, open in
            let first = Task { try await answers.ask(1) }
            try await eventually(equals: 1) { asked.withLock { $0.count } }
            let others = [13, 2].map { number in Task { try await answers.ask(number) } }
            try await eventually(equals: 2) { await answers.waitingCount }
            open()
            #expect(try await first.value == "1")
            for other in others { await #expect(throws: Failure.self) { try await other.value } }
            #expect(try await answers.ask(2) == "2")
        }
    }

    @Test("are answered for the others when one of those who wait is cancelled")
    func cancelled() async throws {
        try await with { answers, asked, open in
            let first = Task { try await answers.ask(1) }
            try await eventually(equals: 1) { asked.withLock { $0.count } }
            first.cancel()
            let other = Task { try await answers.ask(2) }
            try await eventually(equals: 1) { await answers.waitingCount }
            open()
            #expect(try await other.value == "2")
        }
    }
}
