import Contract
import Testing

@testable import Client

@Suite("A client that was cut off")
struct ReconnectPolicyTests {
    @Test("stops where the code says so")
    func stop() {
        var policy = ReconnectPolicy()
        var generator = SystemRandomNumberGenerator()
        #expect(policy.wait(.stop, using: &generator) == nil)
    }

    @Test("goes at once where its match went, and slower where that goes on")
    func atOnce() throws {
        var policy = ReconnectPolicy()
        var generator = SystemRandomNumberGenerator()
        #expect(policy.wait(.atOnce, using: &generator) == .zero)
        let second = try #require(policy.wait(.atOnce, using: &generator))
        #expect(second >= ReconnectPolicy.first)
    }

    @Test("waits longer each time, never past the longest, and begins anew once it was connected")
    func growth() throws {
        var policy = ReconnectPolicy()
        var generator = SystemRandomNumberGenerator()
        var ceiling = ReconnectPolicy.first
        for _ in 0..<40 {
            let wait = try #require(policy.wait(.backOff, using: &generator))
            #expect(wait >= ceiling / 2 && wait <= ceiling)
            ceiling = min(ceiling * 2, ReconnectPolicy.longest)
        }
        policy.connected()
        let wait = try #require(policy.wait(.backOff, using: &generator))
        #expect(wait <= ReconnectPolicy.first)
    }

    @Test(
        "never comes back earlier than it was asked to",
        arguments: [CloseAdvice.backOff, .reconnect, .atOnce])
    func hint(advice: CloseAdvice) throws {
        var policy = ReconnectPolicy()
        var generator = SystemRandomNumberGenerator()
        _ = policy.wait(.backOff, using: &generator)
        let wait = try #require(policy.wait(advice, hint: .seconds(3), using: &generator))
        #expect(wait >= .seconds(3))
    }
}
