import Codecs
import Contract
import Testing

@testable import Rooms

@Suite("The rate meter of ales")
struct AleRateEqualityTests {
    /// A debt of a millisecond: the bucket counts in `Float`, whose rounding adds up to less.
    private static let tolerance = Rate(1, perNanoseconds: 1_000_000, burst: 1)

    @Test("equals the token bucket, but for ales within a millisecond of the limit")
    func equality() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        var (taken, refused, skipped, setBack) = (0, 0, 0, 0)
        for _ in 0..<300 {
            let perSecond = Int.random(in: 1...100, using: &random)
            let rate = Rate(perSecond, perNanoseconds: 1_000_000_000, burst: 2 * perSecond)
            var now = Timestamp(seconds: 1_800_000_000)
            var old = TokenBucket(perSecond: perSecond, now: now)
            var new = ResettableRateMeter()
            for _ in 0..<1_000 {
                switch Int.random(in: 0..<200, using: &random) {
                case 0:
                    now.microseconds -= Int64.random(in: 0...100_000_000, using: &random)
                    setBack += 1
                case 1: now.microseconds += Int64.random(in: 0...3_000_000, using: &random)
                default:
                    now.microseconds += Int64.random(in: 0...Int64(1_500_000 / perSecond), using: &random)
                }
                let instant = UInt64(now.microseconds) * 1_000
                var (probe, late) = (new, new)
                probe.charge(of: Self.tolerance, at: instant)
                let isTaken = late.take(of: rate, at: instant)
                let isNear =
                    isTaken
                    ? !probe.take(of: rate, at: instant)
                    : late.available(1, of: rate, from: instant) <= instant + 1_000_000
                if isNear {
                    skipped += 1
                    continue
                }
                new = late
                #expect(old.take(perSecond: perSecond, now: now) == isTaken, "seed \(seed)")
                if isTaken { taken += 1 } else { refused += 1 }
            }
        }
        print("seed \(seed): \(taken) taken, \(refused) refused, \(skipped) near, \(setBack) set back")
        #expect(taken > 100_000 && refused > 10_000 && skipped < 10_000 && setBack > 500, "seed \(seed)")
    }
}
