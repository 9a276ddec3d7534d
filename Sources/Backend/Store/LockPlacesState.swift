import Contract

/// What a request may have to wait for.
enum LockKey: Hashable, Sendable {
    case slot(Timestamp)
    case user(UUID)
}

/// Which of those that may wait for a lock hold a place, and which wait for one: the decisions, as a value.
///
/// A key has one place at most, so that whoever waits for one slot keeps nobody from the others; users, who may wait for
/// several slots, have half of the places at most. Each gets a place in the order of arrival, as far as its key is free.
struct LockPlacesState {
    typealias Waiter = Int

    enum Answer: Equatable { case enter, wait, refuse }

    private let places: Int
    private let maximumWaiters: Int
    private var held: Set<LockKey> = []
    private var waiters: [(waiter: Waiter, key: LockKey)] = []

    init(places: Int, maximumWaiters: Int) {
        precondition(places > 0)
        self.places = places
        self.maximumWaiters = maximumWaiters
    }

    var waiting: Int { waiters.count }

    mutating func request(_ key: LockKey, by waiter: Waiter) -> Answer {
        if isFree(key) {
            held.insert(key)
            return .enter
        }
        guard waiters.count < maximumWaiters else { return .refuse }
        waiters.append((waiter, key))
        return .wait
    }

    /// Answers with those who enter now.
    mutating func leave(_ key: LockKey) -> [Waiter] {
        held.remove(key)
        var entered: [Waiter] = []
        var rest: [(waiter: Waiter, key: LockKey)] = []
        for waiting in waiters {
            if isFree(waiting.key) {
                held.insert(waiting.key)
                entered.append(waiting.waiter)
            } else {
                rest.append(waiting)
            }
        }
        waiters = rest
        return entered
    }

    /// False where it does not wait any more.
    mutating func abandon(_ waiter: Waiter) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.waiter == waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }

    private func isFree(_ key: LockKey) -> Bool {
        guard held.count < places, !held.contains(key) else { return false }
        guard case .user = key else { return true }
        let users = held.count { if case .user = $0 { true } else { false } }
        return users < max(1, places / 2)
    }
}
