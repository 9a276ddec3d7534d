import Reactor

/// Open connections by address, where one address may have only so many. Any thread.
final class AddressQuota: Sendable {
    private let maximum: Int
    private let counts = Lock<[AddressKey: Int]>([:])

    init(maximum: Int) { self.maximum = maximum }

    /// A connection's place in the quota of its address, given back when its last holder lets go of it.
    final class Lease: Sendable {
        private let quota: AddressQuota
        private let key: AddressKey

        fileprivate init(_ quota: AddressQuota, _ key: AddressKey) {
            self.quota = quota
            self.key = key
        }

        deinit { quota.giveBack(key) }
    }

    /// Nil: the address has as many as it may have.
    func lease(_ key: AddressKey) -> Lease? {
        let isFree = counts.withLock { counts in
            let count = counts[key] ?? 0
            if count >= maximum { return false }
            counts[key] = count + 1
            return true
        }
        return isFree ? Lease(self, key) : nil
    }

    /// Addresses that have a connection.
    var addressCount: Int { counts.withLock { $0.count } }

    private func giveBack(_ key: AddressKey) {
        counts.withLock { counts in
            let left = (counts[key] ?? 1) - 1
            counts[key] = left > 0 ? left : nil
        }
    }
}
