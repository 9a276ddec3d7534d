import Reactor

/// Token buckets by address, shared by the loops, and bounded in number.
///
/// At the bound the buckets that are full again are forgotten; they would say the same when made anew.
package final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: UInt64
    }

    private static let maximumBuckets = 50_000
    private let rate: Double
    private let burst: Double
    private let buckets = Lock<[String: Bucket]>([:])

    package init(perSecond: Int) {
        rate = Double(perSecond)
        burst = Double(perSecond) * 2
    }

    /// Takes one token; else the whole seconds until there is one. `now` is monotonic nanoseconds.
    package func take(_ key: String, now: UInt64) -> Int? {
        buckets.withLock { buckets -> Int? in
            if buckets.count >= Self.maximumBuckets {
                buckets = buckets.filter { refilled($0.value, now) < burst }
                if buckets.count >= Self.maximumBuckets { buckets.removeAll() }
            }
            var bucket = buckets[key] ?? Bucket(tokens: burst, at: now)
            bucket.tokens = refilled(bucket, now)
            bucket.at = max(bucket.at, now)
            defer { buckets[key] = bucket }
            if bucket.tokens >= 1 {
                bucket.tokens -= 1
                return nil
            }
            return max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
        }
    }

    private func refilled(_ bucket: Bucket, _ now: UInt64) -> Double {
        // Two loops may come in another order than that of their clocks.
        let elapsed = now > bucket.at ? now - bucket.at : 0
        return min(burst, bucket.tokens + Double(elapsed) / 1e9 * rate)
    }
}
