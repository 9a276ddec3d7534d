/// Questions that many ask at the same time, answered together: those that come while an answer is under way
/// share the next one. When a server dies, thousands of devices knock at once, and the database is asked in
/// a few statements.
///
/// It lives on the executor that is given to it, a loop.
package actor SharedAnswers<Question: Hashable & Sendable, Answer: Sendable> {
    private typealias Waiter = CheckedContinuation<Result<Answer?, any Error>, Never>
    /// The most questions that are answered together.
    private static var most: Int { 1_000 }

    private let executor: any SerialExecutor & TaskExecutor
    private let answer: @Sendable ([Question]) async throws -> [Question: Answer]
    private var waiting: [Question: [Waiter]] = [:]
    /// The questions that wait, in the order in which they were first asked.
    private var questions: [Question] = []
    private var isAnswering = false

    /// The number of callers that wait for the next answer.
    package var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init(
        on executor: any SerialExecutor & TaskExecutor,
        answer: @escaping @Sendable ([Question]) async throws -> [Question: Answer]
    ) {
        self.executor = executor
        self.answer = answer
    }

    /// Returns an answer that was looked for after this call; nil if there is none. A failure is that of all
    /// who asked together.
    package func ask(_ question: Question) async throws -> Answer? {
        let result = await withCheckedContinuation { (waiter: Waiter) in
            if waiting[question] == nil { questions.append(question) }
            waiting[question, default: []].append(waiter)
            guard !isAnswering else { return }
            isAnswering = true
            // The answer is for all who wait for it: it goes on if the client that asked first goes away, and
            // ends when no caller waits.
            Task(executorPreference: executor) { await self.answerAll() }
        }
        return try result.get()
    }

    private func answerAll() async {
        while !waiting.isEmpty {
            let questions = Array(questions.prefix(Self.most))
            self.questions.removeFirst(questions.count)
            let waiters = questions.map { waiting.removeValue(forKey: $0) ?? [] }
            let result = await Result { try await answer(questions) }
            for (question, waiters) in zip(questions, waiters) {
                for waiter in waiters { waiter.resume(returning: result.map { $0[question] }) }
            }
        }
        isAnswering = false
    }
}
