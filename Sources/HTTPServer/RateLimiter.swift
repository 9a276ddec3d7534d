import Codecs
import Reactor

/// A rate limiter for many keys, of a fixed size: a `RateMeter` for each key. Any thread may use it.
///
/// A key without debt needs no place. If a place is needed, the key with the smallest debt of a few is
/// evicted, so that a client that has reached a limit cannot reset it by sending under other keys, unless
/// each of many others has as much debt.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Place {
        var hash = 0
        var meter = RateMeter()
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

    private let rate: Rate
    private let setsOfShard: Int
    private let shards: [Lock<[Place]>]

    /// Creates a limiter of `count` in a period, and `burst` at once. `places` is the number of keys that can
    /// be in debt at the same time.
    package init(_ count: Int, per period: Duration, burst: Int, places: Int = 65_536) {
        precondition(places > 0)
        rate = Rate(count, perNanoseconds: period.clampedNanoseconds, burst: burst)
        let setsOfShard = max(1, places / (Self.shardCount * Self.ways))
        self.setsOfShard = setsOfShard
        shards = (0..<Self.shardCount).map { _ in
            Lock(Array(repeating: Place(), count: setsOfShard * Self.ways))
        }
    }

    /// The most that a key may take at once.
    package var burst: Int { rate.burst }

    /// The time in which a key may take the burst again, in whole seconds, rounded up.
    package var window: Int { Self.seconds(rate.window) }

    /// Gives back what a key has taken and not used.
    package func giveBack(_ count: Int, to key: Key) {
        let hash = key.hashValue
        let (shard, places) = position(of: hash)
        shard.withLock { stored in
            for index in places where stored[index].hash == hash {
                stored[index].meter.giveBack(min(count, rate.burst), of: rate)
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
                if places[index].meter.debtUntil < places[best].meter.debtUntil { best = index }
            }
            var meter = places[best].hash == hash ? places[best].meter : RateMeter()
            let asked = min(count, rate.burst)
            if isMade {
                meter.charge(count, of: rate, at: now)
            } else if !meter.take(asked, of: rate, at: now) {
                return Standing(
                    remaining: 0, reset: Self.seconds(meter.debt(at: now)),
                    retryAfter: Self.seconds(meter.wait(for: asked, of: rate, at: now)))
            }
            places[best] = Place(hash: hash, meter: meter)
            return Standing(
                remaining: meter.available(of: rate, at: now), reset: Self.seconds(meter.debt(at: now)),
                retryAfter: nil)
        }
    }

    private static func seconds(_ nanoseconds: UInt64) -> Int {
        Int((nanoseconds &+ 999_999_999) / 1_000_000_000)
    }
}
