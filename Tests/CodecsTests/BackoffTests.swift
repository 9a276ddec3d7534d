import Codecs
import Testing

@Suite("A back-off")
struct BackoffTests {
    @Test(
        "doubles with each failure, up to the longest wait",
        arguments: [
            (0, 50), (1, 50), (2, 100), (3, 200), (5, 800), (6, 1_000), (7, 1_000), (Int.max, 1_000),
        ])
    func doubling(failures: Int, milliseconds: Int) {
        let backoff = Backoff(first: .milliseconds(50), longest: .seconds(1))
        #expect(backoff.delay(afterFailures: failures) == .milliseconds(milliseconds))
    }

    @Test("draws each wait from the range of its jitter", arguments: [0.5...1, 1...1.1])
    func jitter(range: ClosedRange<Double>) {
        let backoff = Backoff(first: .seconds(1), longest: .seconds(4), jitter: range)
        var random = SplitMix64(seed: 1)
        for (failures, seconds) in [(1, 1), (2, 2), (3, 4), (4, 4)] {
            let shares = (0..<200).map { _ in
                backoff.delay(afterFailures: failures, using: &random) / .seconds(seconds)
            }
            #expect(shares.allSatisfy { $0 > range.lowerBound - 1e-9 && $0 < range.upperBound + 1e-9 })
            let width = range.upperBound - range.lowerBound
            #expect(shares.max().map { $0 > range.upperBound - width / 10 } ?? false)
            #expect(shares.min().map { $0 < range.lowerBound + width / 10 } ?? false)
        }
    }
}
