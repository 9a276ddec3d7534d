import Testing

@testable import Client

@Suite("A result that is waited for")
struct PendingResultTests {
    @Test("is not lost where it comes before the wait, and only the first one counts")
    func early() async throws {
        let result = PendingResult<Int>()
        result.settle(.success(1))
        result.settle(.failure(.timedOut))
        #expect(try await result.value() == 1)
    }

    @Test("reaches the caller that waits")
    func late() async throws {
        let result = PendingResult<Int>()
        async let value = result.value()
        await Task.yield()
        result.settle(.success(2))
        #expect(try await value == 2)
    }

    @Test("is not waited for by a task that is cancelled, unless it is there")
    func cancelled() async throws {
        let open = PendingResult<Int>()
        let waiting = Task { try await open.value() }
        waiting.cancel()
        await #expect(throws: ClientError.cancelled) { try await waiting.value }
        let settled = PendingResult<Int>()
        settled.settle(.success(3))
        let done = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await settled.value()
        }
        #expect(try await done.value == 3)
    }
}
