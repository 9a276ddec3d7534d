import Codecs
import Contract
import Testing

@testable import Outbox

@Suite("The rate meter of hosts")
struct HostRateEqualityTests {
    @Test("equals the meter of hosts, but for the rounding of the interval to nanoseconds")
    func equality() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        var (equal, near, waits) = (0, 0, 0)
        for _ in 0..<300 {
            let perSecond = Int.random(in: 1...1_000, using: &random)
            let burst = 10 * perSecond
            let rate = Rate(perSecond, perNanoseconds: 1_000_000_000, burst: burst)
            // The interval is rounded to nanoseconds.
            let slack = UInt64(burst) + 1_000
            var now = Timestamp(seconds: 1_800_000_000)
            var latest = now
            var (old, new) = (HostMeter(), ResettableRateMeter())
            for _ in 0..<1_000 {
                switch Int.random(in: 0..<100, using: &random) {
                case 0: now.microseconds -= Int64.random(in: 0...20_000_000, using: &random)
                case 1: now.microseconds += Int64.random(in: 0...20_000_000, using: &random)
                default:
                    now.microseconds += Int64.random(in: 0...Int64(1_000_000 / perSecond), using: &random)
                }
                let instant = UInt64(now.microseconds) * 1_000
                let steady = UInt64(max(now, latest).microseconds) * 1_000
                var more = new
                more.charge(of: Rate(1, perNanoseconds: slack, burst: 1), at: steady)
                let (fewest, most) = (
                    more.available(of: rate, at: steady), new.available(of: rate, at: steady + slack)
                )
                let allowed = max(0, old.allowance(perSecond, burst, at: now))
                #expect(fewest <= allowed && allowed <= most, "seed \(seed)")
                if allowed == new.available(of: rate, at: instant) { equal += 1 } else { near += 1 }
                let count = max(1, perSecond / 10)
                let oldProbe = old.refilled(to: count, perSecond, burst)
                let newProbe = (new.available(count, of: rate, from: instant) + 999) / 1_000
                if oldProbe > max(now, latest) {
                    waits += 1
                    let difference = oldProbe.microseconds - Int64(newProbe)
                    // At most 30,000 deliveries are in debt, each rounded by less than a nanosecond.
                    #expect(abs(difference) <= 31, "seed \(seed)")
                }
                for _ in 0..<Int.random(in: 0...30, using: &random) {
                    old.spend(perSecond, at: now)
                    new.charge(of: rate, at: instant)
                    latest = now
                }
            }
        }
        print("seed \(seed): \(equal) equal, \(near) within the rounding, \(waits) waits")
        #expect(equal > 290_000 && waits > 10_000, "seed \(seed)")
    }
}
