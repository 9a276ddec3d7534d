import ClientTesting
import Contract
import Reactor
import Testing

@testable import Client

@Suite("A call that fails")
struct RetryPolicyTests {
    private static let broken = ClientError.network("broken")

    /// An operation that fails so many times, and then returns the number of the attempt.
    private final class Flaky: Sendable {
        private let tries = Lock(0)
        let failures: Int
        let failure: AttemptFailure

        init(failures: Int, with failure: AttemptFailure = AttemptFailure(broken)) {
            self.failures = failures
            self.failure = failure
        }

        var count: Int { tries.withLock { $0 } }

        func call() throws(AttemptFailure) -> Int {
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            if number <= failures { throw failure }
            return number
        }
    }

    @Test(
        "is tried as often as its policy says",
        arguments: [(.none, 1), (.default, 3), (.patient, 5)] as [(RetryPolicy, Int)])
    func attempts(policy: RetryPolicy, attempts: Int) async throws {
        let quick = RetryPolicy(attempts: policy.attempts, pause: .zero, total: policy.total)
        // The clock stands still, so that a slow machine does not use up the total.
        let clock = ManualClock()
        let lucky = Flaky(failures: attempts - 1)
        let answer = try await quick.attempt(isIdempotent: true, clock: clock) {
            () async throws(AttemptFailure) in
            try lucky.call()
        }
        #expect(answer == attempts)
        let unlucky = Flaky(failures: attempts)
        await #expect(throws: Self.broken) {
            try await quick.attempt(isIdempotent: true, clock: clock) {
                () async throws(AttemptFailure) in
                try unlucky.call()
            }
        }
        #expect(unlucky.count == attempts)
    }

    @Test("has the pauses and the bound that are written down")
    func figures() {
        #expect(
            RetryPolicy.default == RetryPolicy(attempts: 3, pause: .milliseconds(200), total: .seconds(10)))
        #expect(RetryPolicy.patient.attempts == 5)
        #expect(RetryPolicy.patient.total == .seconds(30))
        #expect(RetryPolicy.none == RetryPolicy(attempts: 1, pause: .zero, total: nil))
    }

    @Test("is not tried again where it may not be repeated")
    func notIdempotent() async {
        let flaky = Flaky(failures: 1)
        await #expect(throws: Self.broken) {
            try await RetryPolicy.patient.attempt(isIdempotent: false) { () async throws(AttemptFailure) in
                try flaky.call()
            }
        }
        #expect(flaky.count == 1)
    }

    @Test("is not tried again where the failure is final")
    func final() async {
        let flaky = Flaky(failures: 1, with: AttemptFailure(.unexpected("what?")))
        await #expect(throws: ClientError.unexpected("what?")) {
            try await RetryPolicy.patient.attempt(isIdempotent: true) { () async throws(AttemptFailure) in
                try flaky.call()
            }
        }
        #expect(flaky.count == 1)
    }

    @Test("is tried again after the pause or the server's Retry-After, the longer one, extended at random")
    func pauses() async throws {
        let cases: [(asked: Int?, random: Double, wait: Int)] = [
            (nil, 0, 200), (100, 0, 200), (700, 0, 700),
            (nil, 0.5, 300), (700, 1, 1_400), (4_000, 0.5, 5_000),
        ]
        for (asked, random, wait) in cases {
            let clock = ManualClock()
            let flaky = Flaky(
                failures: 1,
                with: AttemptFailure(Self.broken, retryAfter: asked.map { .milliseconds($0) }))
            async let answer = RetryPolicy.default.attempt(
                isIdempotent: true, clock: clock, random: { random },
                operation: { () async throws(AttemptFailure) in try flaky.call() })
            try await clock.sleeper(until: .milliseconds(wait))
            #expect(flaky.count == 1)
            clock.advance(by: .milliseconds(wait))
            #expect(try await answer == 2)
        }
    }

    @Test("fails at once where the next try would come after the total")
    func beyondTotal() async {
        let clock = ManualClock()
        let flaky = Flaky(failures: 1, with: AttemptFailure(Self.broken, retryAfter: .seconds(10)))
        await #expect(throws: Self.broken) {
            try await RetryPolicy.default.attempt(isIdempotent: true, clock: clock) {
                () async throws(AttemptFailure) in try flaky.call()
            }
        }
        #expect(flaky.count == 1)
    }

    @Test("that hangs is cancelled when the total is over, and has timed out")
    func hangs() async throws {
        let clock = ManualClock()
        let call = Task {
            try await RetryPolicy.default.run(isIdempotent: true, clock: clock) {
                () async throws(ClientError) -> Int in
                do { try await Task.sleep(for: .seconds(600)) } catch { throw .cancelled }
                return 1
            }
        }
        try await clock.sleeper(until: .seconds(10))
        clock.advance(by: .seconds(10))
        await #expect(throws: ClientError.timedOut) { try await call.value }
    }

    @Test("ends when its task is cancelled, in a try and in a pause")
    func cancelled() async throws {
        let clock = ManualClock()
        let trying = Task {
            try await RetryPolicy.default.run(isIdempotent: true, clock: clock) {
                () async throws(ClientError) -> Int in
                do { try await Task.sleep(for: .seconds(600)) } catch { throw .cancelled }
                return 1
            }
        }
        try await clock.sleeper(until: .seconds(10))
        trying.cancel()
        await #expect(throws: ClientError.cancelled) { try await trying.value }

        let flaky = Flaky(failures: 5)
        let pausing = Task {
            try await RetryPolicy.default.attempt(
                isIdempotent: true, clock: clock, random: { 0 },
                operation: { () async throws(AttemptFailure) in try flaky.call() })
        }
        try await clock.sleeper(until: .milliseconds(200))
        pausing.cancel()
        await #expect(throws: ClientError.cancelled) { try await pausing.value }
    }
}
