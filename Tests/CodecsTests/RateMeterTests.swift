import Codecs
import Testing

@Suite("A rate meter")
struct RateMeterTests {
    private static let second: UInt64 = 1_000_000_000

    private func take(_ meter: inout RateMeter, _ rate: Rate, _ now: UInt64, _ count: Int = 1) -> Bool {
        meter.take(count, of: rate, at: now)
    }

    @Test("grants its burst at once, and then one in each interval")
    func burst() {
        let rate = Rate(5, perNanoseconds: Self.second, burst: 10)
        var meter = RateMeter()
        for left in (0..<10).reversed() {
            #expect(take(&meter, rate, Self.second))
            #expect(meter.available(of: rate, at: Self.second) == left)
        }
        #expect(!take(&meter, rate, Self.second))
        #expect(meter.wait(for: 1, of: rate, at: Self.second) == Self.second / 5)
        #expect(!take(&meter, rate, Self.second * 6 / 5 - 1))
        #expect(take(&meter, rate, Self.second * 6 / 5))
        #expect(meter.debt(at: Self.second * 6 / 5) == 2 * Self.second)
        #expect(meter.debt(at: 10 * Self.second) == 0)
    }

    @Test("takes several at once or none, and charges for what happened without it")
    func several() {
        let rate = Rate(1, perNanoseconds: Self.second, burst: 4)
        var meter = RateMeter()
        #expect(!take(&meter, rate, 0, 5))
        #expect(take(&meter, rate, 0, 4))
        #expect(take(&meter, rate, 0, 0))
        meter.charge(2, of: rate, at: 0)
        #expect(meter.available(of: rate, at: 0) == 0)
        #expect(!take(&meter, rate, 0, 0))
        #expect(meter.wait(for: 1, of: rate, at: 0) == 3 * Self.second)
        meter.giveBack(3, of: rate)
        #expect(meter.available(of: rate, at: 0) == 1)
        meter.giveBack(100, of: rate)
        #expect(meter.available(of: rate, at: 0) == 4)
    }

    @Test("never grants more in a time than its burst and what the time pays off")
    func bound() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let (count, burst) = (
                Int.random(in: 1...50, using: &random), Int.random(in: 1...50, using: &random)
            )
            let rate = Rate(count, perNanoseconds: Self.second, burst: burst)
            var meter = RateMeter()
            var (now, taken, refused) = (UInt64(0), 0, 0)
            for _ in 0..<500 {
                now += UInt64.random(in: 0...(rate.interval), using: &random)
                let wanted = Int.random(in: 0...3, using: &random)
                let available = meter.available(of: rate, at: now)
                let wait = meter.wait(for: wanted, of: rate, at: now)
                let isGranted = meter.take(wanted, of: rate, at: now)
                #expect(isGranted == (wanted <= available) && isGranted == (wait == 0), "seed \(seed)")
                if isGranted {
                    taken += wanted
                } else {
                    refused += 1
                    var later = meter
                    let isGrantedLater = take(&later, rate, now + wait, wanted)
                    #expect(isGrantedLater == (wanted <= burst), "seed \(seed)")
                    let isGrantedBefore = take(&meter, rate, now + wait - 1, wanted)
                    #expect(!isGrantedBefore, "seed \(seed)")
                }
                #expect(UInt64(taken) * rate.interval <= rate.window + now, "seed \(seed)")
            }
            #expect(refused > 0 || burst > 25, "seed \(seed)")
        }
    }

    @Test("grants nothing more and nothing less when its clock is set back")
    func setBack() {
        let rate = Rate(10, perNanoseconds: Self.second, burst: 2)
        var meter = ResettableRateMeter()
        func take(_ now: UInt64) -> Bool { meter.take(of: rate, at: now) }
        let now = 100 * Self.second
        #expect(take(now))
        #expect(take(now))
        let back = now - 50 * Self.second
        #expect(meter.available(of: rate, at: back) == 0)
        #expect(meter.available(1, of: rate, from: back) == now + Self.second / 10)
        #expect(!take(back))
        #expect(!take(back + Self.second / 10 - 1))
        #expect(take(back + Self.second / 10))
        meter.charge(of: rate, at: back)
        #expect(meter.available(2, of: rate, from: back) == back + 3 * Self.second / 10)
        #expect(meter.available(of: rate, at: now) == 2)
    }
}
