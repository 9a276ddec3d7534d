import Testing

@testable import HTTPServer

@Suite("The rate of an address")
struct RateLimiterTests {
    private static let second: UInt64 = 1_000_000_000

    private static func limiter(_ count: Int, burst: Int, places: Int = 65_536) -> RateLimiter<String> {
        RateLimiter(count, per: .seconds(1), burst: burst, places: places)
    }

    @Test("is its burst at once, then one after the other")
    func burst() {
        let limiter = Self.limiter(5, burst: 10)
        for _ in 0..<10 { #expect(limiter.take("a", now: Self.second).retryAfter == nil) }
        #expect(limiter.take("a", now: Self.second).retryAfter == 1)
        #expect(limiter.take("b", now: Self.second).retryAfter == nil)
        #expect(limiter.take("a", now: Self.second + Self.second / 5).retryAfter == nil)
        #expect(limiter.take("a", now: Self.second + Self.second / 5).retryAfter == 1)
    }

    @Test("takes several at once or none, and in any case what was made already")
    func several() {
        let limiter = Self.limiter(5, burst: 10)
        #expect(limiter.take(7, of: "a", now: 0).remaining == 3)
        #expect(limiter.take(4, of: "a", now: 0).retryAfter == 1)
        #expect(limiter.take(3, of: "a", now: 0).remaining == 0)
        #expect(limiter.take(0, of: "a", now: 0).retryAfter == nil)
        #expect(limiter.take(20, of: "b", now: 0).remaining == 0)
        limiter.giveBack(4, to: "b")
        limiter.giveBack(4, to: "nobody")
        #expect(limiter.take(5, of: "b", now: 0).retryAfter == 1)
        #expect(limiter.take(4, of: "b", now: 0).remaining == 0)
        #expect(limiter.take(20, of: "c", isMade: true, now: 0).remaining == 0)
        #expect(limiter.take(0, of: "c", now: 0).retryAfter == 2)
        #expect(limiter.take(1, of: "c", now: 2 * Self.second).retryAfter == 1)
        #expect(limiter.take(0, of: "c", now: 2 * Self.second).retryAfter == nil)
    }

    @Test("tells what is left, and when all of it is there again")
    func standing() {
        let limiter = Self.limiter(20, burst: 60)
        #expect(limiter.burst == 60 && limiter.window == 3)
        #expect(limiter.take("a", now: 0) == .init(remaining: 59, reset: 1, retryAfter: nil))
        for _ in 0..<40 { _ = limiter.take("a", now: 0) }
        #expect(limiter.take("a", now: 0) == .init(remaining: 18, reset: 3, retryAfter: nil))
        for _ in 0..<17 { _ = limiter.take("a", now: 0) }
        #expect(limiter.take("a", now: 0) == .init(remaining: 0, reset: 3, retryAfter: nil))
        #expect(limiter.take("a", now: 0) == .init(remaining: 0, reset: 3, retryAfter: 1))
        #expect(limiter.take("a", now: Self.second) == .init(remaining: 19, reset: 3, retryAfter: nil))
        #expect(limiter.take("a", now: 10 * Self.second) == .init(remaining: 59, reset: 1, retryAfter: nil))
    }

    @Test("of a minute may be had at once, and what is refused says how long it takes")
    func minute() {
        let limiter = RateLimiter<String>(6, per: .seconds(60), burst: 6)
        for _ in 0..<6 { #expect(limiter.take("a", now: 0).retryAfter == nil) }
        #expect(limiter.take("a", now: 0).retryAfter == 10)
        #expect(limiter.take("a", now: 9 * Self.second + 1).retryAfter == 1)
        #expect(limiter.take("a", now: 10 * Self.second).retryAfter == nil)
        #expect(limiter.take("a", now: 10 * Self.second).retryAfter == 10)
    }

    @Test("is not given again where two loops read the clock in another order")
    func order() {
        let limiter = Self.limiter(1, burst: 2)
        #expect(limiter.take("a", now: 10 * Self.second).retryAfter == nil)
        #expect(limiter.take("a", now: 10 * Self.second).retryAfter == nil)
        #expect(limiter.take("a", now: 10 * Self.second - 1).retryAfter != nil)
        #expect(limiter.take("a", now: 10 * Self.second).retryAfter == 1)
    }

    @Test("is not had again by sending under very many other keys")
    func eviction() {
        // There are 128 places, and far more keys, each with a smaller debt than the one that has exhausted
        // its limit.
        let limiter = Self.limiter(1, burst: 10, places: 128)
        for _ in 0..<10 { #expect(limiter.take("exhausted", now: 0).retryAfter == nil) }
        for index in 0..<100_000 { #expect(limiter.take("other \(index)", now: 1).retryAfter == nil) }
        #expect(limiter.take("exhausted", now: 2).retryAfter == 1)
    }

    @Test("is for newcomers too where every place is taken")
    func newcomers() {
        let limiter = Self.limiter(1, burst: 2, places: 128)
        for index in 0..<10_000 {
            for _ in 0..<2 { _ = limiter.take("greedy \(index)", now: 0) }
        }
        for index in 0..<1000 { #expect(limiter.take("new \(index)", now: 0).retryAfter == nil) }
    }
}
