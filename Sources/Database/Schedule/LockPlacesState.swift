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
/// for one key get its place in the order of arrival. No step looks at all callers or all keys.
struct LockPlacesState {
    /// The number of a caller, which grows with the arrival.
    typealias Waiter = Int

    package enum Answer: Equatable { case enter, wait }

    private let places: Int
    private var held: Set<LockKey> = []
    private var heldByUsers = 0
    /// The callers that wait, each key's in the order of arrival.
    private var queues: [LockKey: [Waiter]] = [:]
    /// The keys that are waited for and hold no place, first those that have waited for longest.
    private var slots = Turns()
    private var users = Turns()
    private var lastTurn = 0
    package private(set) var waiting = 0

    init(places: Int) {
        precondition(places > 0)
        self.places = places
    }

    package mutating func request(_ key: LockKey, by waiter: Waiter) -> Answer {
        if held.count < places, !held.contains(key), hasRoom(for: key) {
            hold(key)
            return .enter
        }
        enqueue(waiter, key)
        return .wait
    }

    /// Gives the key's place back. Returns the callers that enter now.
    package mutating func leave(_ key: LockKey) -> [Waiter] {
        release(key)
        return admit()
    }

    /// Gives the place back, to wait for the next turn of the key. Returns the callers that enter now,
    /// perhaps the same one again.
    mutating func giveWay(_ key: LockKey, by waiter: Waiter) -> [Waiter] {
        release(key)
        enqueue(waiter, key)
        return admit()
    }

    /// Removes a caller that waits for the key. Returns false if it does not wait any more.
    mutating func abandon(_ waiter: Waiter, _ key: LockKey) -> Bool {
        guard var queue = queues.removeValue(forKey: key) else { return false }
        let index = Self.position(of: waiter, in: queue)
        let isThere = index < queue.count && queue[index] == waiter
        if isThere {
            queue.remove(at: index)
            waiting -= 1
        }
        if queue.isEmpty { removeTurn(of: key) } else { queues[key] = queue }
        return isThere
    }

    private mutating func enqueue(_ waiter: Waiter, _ key: LockKey) {
        var queue = queues.removeValue(forKey: key) ?? []
        if queue.isEmpty && !held.contains(key) { addTurn(of: key) }
        queue.insert(waiter, at: Self.position(of: waiter, in: queue))
        queues[key] = queue
        waiting += 1
    }

    private mutating func admit() -> [Waiter] {
        var entered: [Waiter] = []
        while held.count < places, let key = takeTurn(), var queue = queues.removeValue(forKey: key) {
            entered.append(queue.removeFirst())
            waiting -= 1
            hold(key)
            if !queue.isEmpty { queues[key] = queue }
        }
        return entered
    }

    private mutating func hold(_ key: LockKey) {
        held.insert(key)
        if case .user = key { heldByUsers += 1 }
    }

    /// Ends the hold of a key, whose turn comes after those of the others.
    private mutating func release(_ key: LockKey) {
        guard held.remove(key) != nil else { return }
        if case .user = key { heldByUsers -= 1 }
        if queues[key] != nil { addTurn(of: key) }
    }

    private var hasRoomForUser: Bool { heldByUsers < max(1, places / 2) }

    private func hasRoom(for key: LockKey) -> Bool {
        switch key {
        case .slot: true
        case .user: hasRoomForUser
        }
    }

    // Turns.

    private mutating func addTurn(of key: LockKey) {
        lastTurn += 1
        switch key {
        case .slot: slots.append(key, lastTurn)
        case .user: users.append(key, lastTurn)
        }
    }

    private mutating func removeTurn(of key: LockKey) {
        switch key {
        case .slot: slots.remove(key)
        case .user: users.remove(key)
        }
    }

    /// Takes the next turn for which there is room.
    private mutating func takeTurn() -> LockKey? {
        let user = hasRoomForUser ? users.first : nil
        guard let slot = slots.first else { return user == nil ? nil : users.popFirst() }
        guard let user, user < slot else { return slots.popFirst() }
        return users.popFirst()
    }

    /// The index of a caller in a queue, or that at which it belongs there.
    private static func position(of waiter: Waiter, in queue: [Waiter]) -> Int {
        var (low, high) = (0, queue.count)
        while low < high {
            let middle = (low + high) / 2
            if queue[middle] < waiter { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Keys in the order of their turns. A key that is removed leaves a gap, which is skipped later.
private struct Turns {
    private var entries: [(key: LockKey, turn: Int)] = []
    private var head = 0
    private var turns: [LockKey: Int] = [:]

    /// The first turn.
    var first: Int? { head < entries.count ? entries[head].turn : nil }

    mutating func append(_ key: LockKey, _ turn: Int) {
        turns[key] = turn
        entries.append((key, turn))
    }

    mutating func remove(_ key: LockKey) {
        turns[key] = nil
        skipGaps()
    }

    mutating func popFirst() -> LockKey? {
        guard head < entries.count else { return nil }
        let key = entries[head].key
        remove(key)
        return key
    }

    private mutating func skipGaps() {
        while head < entries.count, turns[entries[head].key] != entries[head].turn { head += 1 }
        if head > 32, head > entries.count / 2 {
            entries.removeFirst(head)
            head = 0
        }
    }
}
