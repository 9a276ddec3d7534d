import HTTPServer
import Testing

@Suite("The rate of an address")
struct RateLimiterTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("is twice its second at once, then one after the other")
    func burst() {
        let limiter = RateLimiter(perSecond: 5)
        for _ in 0..<10 { #expect(limiter.take("a", now: Self.second) == nil) }
        #expect(limiter.take("a", now: Self.second) == 1)
        #expect(limiter.take("b", now: Self.second) == nil)
        #expect(limiter.take("a", now: Self.second + Self.second / 5) == nil)
        #expect(limiter.take("a", now: Self.second + Self.second / 5) == 1)
    }

    @Test("is not given again where two loops read the clock in another order")
    func order() {
        let limiter = RateLimiter(perSecond: 1)
        #expect(limiter.take("a", now: 10 * Self.second) == nil)
        #expect(limiter.take("a", now: 10 * Self.second) == nil)
        #expect(limiter.take("a", now: 10 * Self.second - 1) == 1)
        #expect(limiter.take("a", now: 10 * Self.second) == 1)
    }
}
