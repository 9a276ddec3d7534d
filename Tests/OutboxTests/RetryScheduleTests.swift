import Contract
import Outbox
import TestKit
import Testing

@Suite struct RetryScheduleTests {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let failure = Outcome.failed(Outcome.Failure("500", isHostFault: true))

    @Test(
        "the waits are those of the specification, and up to a tenth longer",
        arguments: [
            (1, 5), (2, 300), (3, 1_800), (4, 7_200), (5, 18_000), (6, 36_000), (7, 50_400), (8, 72_000),
            (9, 86_400),
        ] as [(Int, Int64)])
    func waits(attempts: Int, seconds: Int64) throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let verdict = RetrySchedule.standard.verdict(
                on: failure, attempts: attempts, expiresAt: nil, at: now, using: &generator)
            guard case .retry(let at) = verdict else { throw TestError("not tried again: \(verdict)") }
            #expect(at.since(now) >= .seconds(seconds))
            #expect(at.since(now) <= .seconds(seconds) + .milliseconds(seconds * 100))
        }
    }

    @Test("after the tenth attempt it is given up", arguments: [10, 11, Int.max])
    func exhaustion(attempts: Int) {
        var generator = SystemRandomNumberGenerator()
        #expect(
            RetrySchedule.standard.verdict(
                on: failure, attempts: attempts, expiresAt: nil, at: now, using: &generator) == .exhausted)
    }

    @Test(
        "an attempt without a descriptor is made again a second later, or expires, and is never the last one")
    func uncounted() {
        var generator = SystemRandomNumberGenerator()
        let lacking = Outcome.failed(.outOfDescriptors("none"))
        for (expiresIn, verdict) in [
            (nil, Verdict.deferred(until: now.adding(.seconds(1)))), (1, .expired),
            (2, .deferred(until: now.adding(.seconds(1)))),
        ] as [(Int?, Verdict)] {
            #expect(
                RetrySchedule.standard.verdict(
                    on: lacking, attempts: 10, expiresAt: expiresIn.map { now.adding(.seconds($0)) }, at: now,
                    using: &generator) == verdict)
        }
    }

    @Test("patience that is asked for is given, but not for more than a day")
    func patience() throws {
        var generator = SystemRandomNumberGenerator()
        for (asked, least, most) in [(60, 60, 60), (1_000_000, 86_400, 86_400), (-5, 5, 6)]
            as [(Int64, Int64, Int64)]
        {
            let outcome = Outcome.failed(
                Outcome.Failure("429", retryAfter: .seconds(asked), isHostFault: false))
            let verdict = RetrySchedule.standard.verdict(
                on: outcome, attempts: 1, expiresAt: nil, at: now, using: &generator)
            guard case .retry(let at) = verdict else { throw TestError("not tried again: \(verdict)") }
            #expect(at.since(now) >= .seconds(least) && at.since(now) <= .seconds(most))
        }
    }

    @Test("what is urgent is tried again while it is of use")
    func urgency() {
        var generator = SystemRandomNumberGenerator()
        for (left, wait) in [(60, 30), (20, 10), (9, 5), (6, 5)] as [(Int64, Int64)] {
            let verdict = RetrySchedule.standard.verdict(
                on: failure, attempts: 2, expiresAt: now.adding(.seconds(left)), at: now, using: &generator)
            #expect(verdict == .retry(at: now.adding(.seconds(wait))))
        }
    }

    @Test("a delivery that would be too late by the next attempt expires now")
    func expiry() {
        var generator = SystemRandomNumberGenerator()
        let verdict = RetrySchedule.standard.verdict(
            on: failure, attempts: 1, expiresAt: now.adding(.seconds(5)), at: now, using: &generator)
        #expect(verdict == .expired)
    }
}
