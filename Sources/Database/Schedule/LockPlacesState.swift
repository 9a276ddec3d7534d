package import Contract

/// The key of a lock for which a request may have to wait.
package enum LockKey: Hashable, Sendable {
    case slot(Timestamp)
    case user(Identifier)
}

/// The state of the places for requests that may wait for a lock: which keys hold one, and which callers
/// wait.
///
/// A key has one place at most, so that callers that wait for one slot do not hold up the others; users, who
/// may wait for several slots, have half of the places at most. The keys take turns; the callers that wait
/// for one key get its place in the order of arrival.
struct LockPlacesState {
    /// The number of a caller, which grows with the arrival.
    typealias Waiter = Int

    package enum Answer: Equatable { case enter, wait, refuse }

    private let places: Int
    private let maximumWaiters: Int
    private let maximumOfOneKey: Int
    private var held: Set<LockKey> = []
    private var queues: [LockKey: [Waiter]] = [:]
    /// The keys that are waited for, first those that have not had a place for longest.
    private var turns: [LockKey] = []
    package private(set) var waiting = 0

    init(places: Int, maximumWaiters: Int, maximumOfOneKey: Int = .max) {
        precondition(places > 0)
        self.places = places
        self.maximumWaiters = maximumWaiters
        self.maximumOfOneKey = maximumOfOneKey
    }

    package mutating func request(_ key: LockKey, by waiter: Waiter) -> Answer {
        if isFree(key) {
            held.insert(key)
            return .enter
        }
        guard waiting < maximumWaiters, queues[key, default: []].count < maximumOfOneKey else {
            return .refuse
        }
        enqueue(waiter, key)
        return .wait
    }

    /// Gives the key's place back. Returns the callers that enter now.
    package mutating func leave(_ key: LockKey) -> [Waiter] {
        held.remove(key)
        return admit()
    }

    /// Gives the place back, to wait for the next turn of the key. Returns the callers that enter now,
    /// perhaps the same one again.
    mutating func giveWay(_ key: LockKey, by waiter: Waiter) -> [Waiter] {
        held.remove(key)
        turns.removeAll { $0 == key }
        enqueue(waiter, key)
        return admit()
    }

    /// Removes a waiting caller. Returns false if it does not wait any more.
    mutating func abandon(_ waiter: Waiter) -> Bool {
        for (key, queue) in queues {
            guard let index = queue.firstIndex(of: waiter) else { continue }
            queues[key]?.remove(at: index)
            forgetIfEmpty(key)
            waiting -= 1
            return true
        }
        return false
    }

    private mutating func enqueue(_ waiter: Waiter, _ key: LockKey) {
        if !turns.contains(key) { turns.append(key) }
        let queue = queues[key, default: []]
        let index = queue.firstIndex { $0 > waiter } ?? queue.endIndex
        queues[key, default: []].insert(waiter, at: index)
        waiting += 1
    }

    private mutating func admit() -> [Waiter] {
        var entered: [Waiter] = []
        for key in turns where isFree(key) {
            guard let first = queues[key]?.removeFirst() else { continue }
            held.insert(key)
            waiting -= 1
            entered.append(first)
            turns.removeAll { $0 == key }
            turns.append(key)
            forgetIfEmpty(key)
        }
        return entered
    }

    private mutating func forgetIfEmpty(_ key: LockKey) {
        guard queues[key]?.isEmpty ?? true else { return }
        queues[key] = nil
        turns.removeAll { $0 == key }
    }

    private func isFree(_ key: LockKey) -> Bool {
        guard held.count < places, !held.contains(key) else { return false }
        guard case .user = key else { return true }
        let users = held.count { if case .user = $0 { true } else { false } }
        return users < max(1, places / 2)
    }
}
