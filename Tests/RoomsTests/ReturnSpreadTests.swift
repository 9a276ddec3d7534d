import Codecs
import Testing

@testable import Rooms

@Suite("Hints to come back")
struct ReturnSpreadTests {
    @Test(
        "spread over five seconds, and over more where there are many",
        arguments: [
            (sockets: 0, latest: 5_000), (1, 5_000), (300, 5_000), (7_200, 5_000), (7_202, 5_001),
            (20_000, 13_533), (1_000_000, 666_866),
        ])
    func range(sockets: Int, latest: Int) {
        #expect(ReturnSpread(sockets: sockets).range == 200...latest)
    }

    @Test("bring fewer than 2,000 in any one second", arguments: [300, 5_000, 20_000, 100_000])
    func rate(sockets: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let spread = ReturnSpread(sockets: sockets)
        var perTenth = [Int](repeating: 0, count: spread.range.upperBound / 100 + 1)
        for _ in 0..<sockets {
            let hint = spread.hint(using: &random)
            let milliseconds = Int(hint / .milliseconds(1))
            #expect(spread.range.contains(milliseconds))
            perTenth[milliseconds / 100] += 1
        }
        // The largest count of any window of ten tenths.
        var most = 0
        for start in perTenth.indices { most = max(most, perTenth[start...].prefix(10).reduce(0, +)) }
        #expect(most < 2_000, "seed \(seed)")
        #expect(perTenth.filter { $0 > 0 }.count >= 20, "they are spread; seed \(seed)")
    }
}
