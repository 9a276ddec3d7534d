import Codecs
import Testing

@testable import HTTPServer

@Suite("The rate meter of a rate limiter")
struct RateLimiterEqualityTests {
    @Test("gives the same standing as the rate limiter for any sequence of calls")
    func equality() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        var (taken, refused) = (0, 0)
        for _ in 0..<300 {
            let count = Int.random(in: 1...100, using: &random)
            let burst = Int.random(in: 1...100, using: &random)
            let seconds = [1, 60, 3_600].randomElement(using: &random) ?? 1
            let limiter = RateLimiter<Int>(count, per: .seconds(seconds), burst: burst)
            let rate = Rate(count, perNanoseconds: UInt64(seconds) * 1_000_000_000, burst: burst)
            #expect(limiter.window == Int((rate.window + 999_999_999) / 1_000_000_000), "seed \(seed)")
            var meters: [Int: RateMeter] = [:]
            var now: UInt64 = 1_000_000_000_000_000
            for _ in 0..<1_000 {
                now += UInt64.random(in: 0...(rate.interval), using: &random)
                let key = Int.random(in: 0..<5, using: &random)
                // Two loops read the clock in another order.
                let instant = now - UInt64.random(in: 0...100, using: &random)
                var meter = meters[key] ?? RateMeter()
                let wanted = Int.random(in: 0...(burst + burst / 10), using: &random)
                if Int.random(in: 0..<10, using: &random) == 0 {
                    limiter.giveBack(wanted, to: key)
                    meter.giveBack(min(wanted, burst), of: rate)
                    meters[key] = meter
                    continue
                }
                let isMade = Int.random(in: 0..<20, using: &random) == 0
                let standing = limiter.take(wanted, of: key, isMade: isMade, now: instant)
                let asked = isMade ? wanted : min(wanted, burst)
                let wait = meter.wait(for: asked, of: rate, at: instant)
                var isTaken = true
                if isMade {
                    meter.charge(wanted, of: rate, at: instant)
                } else {
                    isTaken = meter.take(asked, of: rate, at: instant)
                }
                let left = isTaken ? meter.available(of: rate, at: instant) : 0
                let reset = Int((meter.debt(at: instant) + 999_999_999) / 1_000_000_000)
                let after = isTaken ? nil : Int((wait + 999_999_999) / 1_000_000_000)
                #expect(
                    standing == .init(remaining: left, reset: reset, retryAfter: after), "seed \(seed)")
                meters[key] = meter
                if isTaken { taken += 1 } else { refused += 1 }
            }
        }
        print("seed \(seed): \(taken) taken, \(refused) refused")
        #expect(taken > 50_000 && refused > 50_000, "seed \(seed)")
    }
}
