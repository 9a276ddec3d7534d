import Reactor

/// A quota: each key may have at most `maximum` leases. Any thread may use it.
package final class Quota<Key: Hashable & Sendable>: Sendable {
    private let maximum: Int
    private let counts = Lock<[Key: Int]>([:])

    package init(maximum: Int) { self.maximum = maximum }

    /// A place in the quota of its key, which is given back when the last reference to it is released.
    package final class Lease: Sendable {
        private let quota: Quota
        private let key: Key

        fileprivate init(_ quota: Quota, _ key: Key) {
            self.quota = quota
            self.key = key
        }

        deinit { quota.giveBack(key) }
    }

    /// Returns a lease; nil if the key has the most that it may have.
    package func lease(_ key: Key) -> Lease? {
        let isFree = counts.withLock { counts in
            let count = counts[key] ?? 0
            if count >= maximum { return false }
            counts[key] = count + 1
            return true
        }
        return isFree ? Lease(self, key) : nil
    }

    /// The number of keys that have a lease.
    var keyCount: Int { counts.withLock { $0.count } }

    private func giveBack(_ key: Key) {
        counts.withLock { counts in
            let left = (counts[key] ?? 1) - 1
            counts[key] = left > 0 ? left : nil
        }
    }
}
