import Reactor

/// A rate limiter for many keys, of a fixed size. Any thread may use it.
///
/// For each key it stores one instant, until which the key is in debt. Taking one adds its cost, and is
/// refused if the debt would exceed the burst (the generic cell rate algorithm). A key without debt needs no
/// place. If a place is needed, the key with the smallest debt of a few is evicted, so that a client that has
/// reached a limit cannot reset it by sending under other keys, unless each of many others has as much debt.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Place {
        var hash = 0
        /// The end of the debt, in monotonic nanoseconds.
        var debtUntil: UInt64 = 0
    }

    /// The state of a key after it has asked for one.
    package struct Standing: Equatable, Sendable {
        /// The number that it may take now.
        package var remaining: Int
        /// The whole seconds until it is without debt, rounded up.
        package var reset: Int
        /// The whole seconds until the next, if this one was refused; else nil.
        package var retryAfter: Int?
    }

    private static var shardCount: Int { 16 }
    private static var ways: Int { 8 }

    /// The most that a key may take at once.
    package let burst: Int
    private let interval: UInt64
    private let allowance: UInt64
    private let setsOfShard: Int
    private let shards: [Lock<[Place]>]

    /// Creates a limiter of `count` in a period, and `burst` at once. `places` is the number of keys that can
    /// be in debt at the same time.
    package init(_ count: Int, per period: Duration, burst: Int, places: Int = 65_536) {
        precondition(count > 0 && burst > 0 && places > 0)
        self.burst = burst
        interval = max(1, period.clampedNanoseconds / UInt64(count))
        allowance = interval * UInt64(burst)
        let setsOfShard = max(1, places / (Self.shardCount * Self.ways))
        self.setsOfShard = setsOfShard
        shards = (0..<Self.shardCount).map { _ in
            Lock(Array(repeating: Place(), count: setsOfShard * Self.ways))
        }
    }

    /// The time in which a key may take the burst again, in whole seconds, rounded up.
    package var window: Int { Self.seconds(allowance) }

    /// Gives back what a key has taken and not used.
    package func giveBack(_ count: Int, to key: Key) {
        let hash = key.hashValue
        let (shard, places) = position(of: hash)
        shard.withLock { stored in
            for index in places where stored[index].hash == hash {
                let cost = interval &* UInt64(min(count, burst))
                stored[index].debtUntil = max(stored[index].debtUntil, cost) &- cost
            }
        }
    }

    /// Returns the shard and the places in it that a key may have.
    private func position(of hash: Int) -> (shard: Lock<[Place]>, places: Range<Int>) {
        let bits = UInt(bitPattern: hash)
        let first = Int(bits / UInt(Self.shardCount) % UInt(setsOfShard)) * Self.ways
        return (shards[Int(bits % UInt(Self.shardCount))], first..<(first + Self.ways))
    }

    /// Takes one, or refuses it. `now` is in monotonic nanoseconds.
    package func take(_ key: Key, now: UInt64) -> Standing { take(1, of: key, now: now) }

    /// Takes as many, or refuses them. More than the burst count as the burst. `isMade`: what exists already
    /// is taken in any case, and the next is refused until the debt is within the burst again.
    @discardableResult
    package func take(_ count: Int, of key: Key, isMade: Bool = false, now: UInt64) -> Standing {
        // The hash is seeded for each process, so that a client cannot choose keys that share a set.
        let hash = key.hashValue
        let (shard, indices) = position(of: hash)
        return shard.withLock { places -> Standing in
            var best = indices.lowerBound
            for index in indices {
                if places[index].hash == hash {
                    best = index
                    break
                }
                if places[index].debtUntil < places[best].debtUntil { best = index }
            }
            let isKnown = places[best].hash == hash
            let cost = interval &* UInt64(isMade ? count : min(count, burst))
            let debtUntil = (isKnown ? max(places[best].debtUntil, now) : now) &+ cost
            let debt = debtUntil &- now
            if debt > allowance, !isMade {
                return Standing(
                    remaining: 0, reset: Self.seconds(debt &- cost),
                    retryAfter: Self.seconds(debt &- allowance))
            }
            places[best] = Place(hash: hash, debtUntil: debtUntil)
            let remaining = Int((max(allowance, debt) &- debt) / interval)
            return Standing(remaining: remaining, reset: Self.seconds(debt), retryAfter: nil)
        }
    }

    private static func seconds(_ nanoseconds: UInt64) -> Int {
        Int((nanoseconds &+ 999_999_999) / 1_000_000_000)
    }
}
