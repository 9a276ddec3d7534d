import Codecs
import Contract
import Testing

@testable import Client

@Suite("A client that was cut off")
struct ReconnectPolicyTests {
    /// A generator that makes every wait as long as possible.
    private struct Longest: RandomNumberGenerator {
        // The thread sanitizer has no address for a value of no bytes.
        private let value = UInt64.max

        mutating func next() -> UInt64 { value }
    }

    @Test("stops where the code says so")
    func stop() {
        var policy = ReconnectPolicy()
        var generator = SystemRandomNumberGenerator()
        #expect(policy.wait(.stop, using: &generator) == nil)
    }

    @Test("goes at once where its match went, and slower where that goes on")
    func atOnce() throws {
        var policy = ReconnectPolicy()
        var generator = Longest()
        for _ in 0..<ReconnectPolicy.turns {
            #expect(policy.wait(.atOnce, using: &generator) == .zero)
            policy.connected(at: .zero)
            policy.disconnected(at: .seconds(1))
        }
        #expect(policy.wait(.atOnce, using: &generator) == ReconnectPolicy.first)
    }

    @Test("waits up to twice as long each time, from half a second to thirty")
    func growth() throws {
        var policy = ReconnectPolicy()
        var generator = Longest()
        let waits = (0..<9).map { _ in policy.wait(.backOff, using: &generator) }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    }

    @Test("waits anything up to the ceiling, so that a crowd does not come back together")
    func jitter() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix64(seed: seed)
        var shortest = ReconnectPolicy.longest
        var longest = Duration.zero
        for _ in 0..<1000 {
            var policy = ReconnectPolicy()
            let wait = try #require(policy.wait(.reconnect, using: &generator))
            shortest = min(shortest, wait)
            longest = max(longest, wait)
        }
        #expect(longest <= ReconnectPolicy.first, "seed \(seed)")
        #expect(shortest < .milliseconds(25) && longest > .milliseconds(475), "seed \(seed)")
    }

    @Test(
        "starts again after ten seconds of connection, and not before",
        arguments: [(9_999, 1000), (10_000, 500)])
    func stability(lasted: Int, wait: Int) throws {
        var policy = ReconnectPolicy()
        var generator = Longest()
        _ = policy.wait(.backOff, using: &generator)
        policy.connected(at: .seconds(5))
        policy.disconnected(at: .seconds(5) + .milliseconds(lasted))
        #expect(policy.wait(.backOff, using: &generator) == .milliseconds(wait))
    }

    @Test("waits half as long after each connection that brought something, and longer after others")
    func traffic() {
        var policy = ReconnectPolicy()
        var generator = Longest()
        for _ in 0..<5 { _ = policy.wait(.backOff, using: &generator) }
        func wait(isOfUse: Bool) -> Duration? {
            policy.connected(at: .seconds(1))
            if isOfUse { policy.heard() }
            policy.disconnected(at: .seconds(2))
            return policy.wait(.backOff, using: &generator)
        }
        // The last wait was 8 s.
        #expect(wait(isOfUse: true) == .seconds(4))
        #expect(wait(isOfUse: true) == .seconds(2))
        #expect(wait(isOfUse: false) == .seconds(4))
        for _ in 0..<4 { _ = wait(isOfUse: true) }
        #expect(wait(isOfUse: true) == ReconnectPolicy.first)
    }

    @Test(
        "never comes back earlier than it was asked to",
        arguments: [CloseAdvice.backOff, .reconnect, .atOnce])
    func hint(advice: CloseAdvice) throws {
        var policy = ReconnectPolicy()
        var generator = SystemRandomNumberGenerator()
        let wait = try #require(policy.wait(advice, hint: .seconds(3), using: &generator))
        #expect(wait >= .seconds(3) && wait <= .seconds(3) + ReconnectPolicy.first)
    }
}
