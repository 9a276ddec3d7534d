import Reactor

/// The bytes that all connections of a process may hold: heads and bodies of requests, and queues of output.
/// Any thread may use it.
///
/// A connection is entered once it holds more than `uncounted`. Beyond the budget, load is shed: connections
/// are cut until an eighth of it is free: those of the address or the account that holds most; of an address,
/// those of the account that holds most there; and of these the largest first.
package final class MemoryBudget: Sendable {
    /// The bytes that a connection may hold without being entered.
    static let uncounted = 1024
    /// The bytes that count for a request under way beside its head and body: its task, and its place in a
    /// queue for the database.
    static let requestOverhead = 4096

    /// The entry of a connection, which ends with the last reference to it.
    final class Use: Sendable {
        private let budget: MemoryBudget

        fileprivate init(_ budget: MemoryBudget) { self.budget = budget }

        deinit { budget.remove(ObjectIdentifier(self)) }

        /// Sets the bytes that the connection holds, and their owner.
        func set(_ bytes: Int, for owner: Owner) { budget.set(ObjectIdentifier(self), bytes, owner) }
    }

    /// The address and the account for which a connection holds bytes.
    struct Owner: Sendable {
        /// The client; nil for a socket that another server passes on. That server's address would be the one
        /// of all its clients, which are cut by their accounts instead.
        var client: ClientAddress?
        var account: String?
    }

    private struct Entry {
        var owner: Owner
        var bytes = 0
        var isCut = false
        let cut: @Sendable () -> Void
    }

    private struct State {
        var held = 0
        /// The bytes of connections that are being cut.
        var leaving = 0
        var cuts = 0
        var entries: [ObjectIdentifier: Entry] = [:]
    }

    package let maximum: Int
    private let state = Lock(State())

    package init(maximum: Int) { self.maximum = maximum }

    /// The bytes that are held now.
    package var held: Int { state.withLock { $0.held } }

    /// The number of connections that were cut.
    package var cuts: Int { state.withLock { $0.cuts } }

    /// Enters a connection. `cut` is called once if it has to end, from any thread.
    func enter(_ owner: Owner, cut: @escaping @Sendable () -> Void) -> Use {
        let use = Use(self)
        let id = ObjectIdentifier(use)
        state.withLock { $0.entries[id] = Entry(owner: owner, cut: cut) }
        return use
    }

    private func set(_ id: ObjectIdentifier, _ bytes: Int, _ owner: Owner) {
        let victims = state.withLock { state -> [@Sendable () -> Void] in
            guard let entry = state.entries[id] else { return [] }
            state.entries[id]?.bytes = bytes
            state.entries[id]?.owner = owner
            state.held += bytes - entry.bytes
            if entry.isCut { state.leaving += bytes - entry.bytes }
            if state.held - state.leaving <= maximum { return [] }
            return Self.choose(from: &state, downTo: maximum - maximum / 8)
        }
        for cut in victims { cut() }
    }

    private func remove(_ id: ObjectIdentifier) {
        // A closure that is released here may hold the last reference to a connection.
        let removed = state.withLock { state -> Entry? in
            guard let entry = state.entries.removeValue(forKey: id) else { return nil }
            state.held -= entry.bytes
            if entry.isCut { state.leaving -= entry.bytes }
            return entry
        }
        withExtendedLifetime(removed) {}
    }

    private static func choose(from state: inout State, downTo limit: Int) -> [@Sendable () -> Void] {
        var holders = Holders()
        for (id, entry) in state.entries where !entry.isCut {
            holders.add(.init(id: id, owner: entry.owner, bytes: entry.bytes))
        }
        var victims: [@Sendable () -> Void] = []
        while state.held - state.leaving > limit, let holder = holders.takeNext() {
            guard let entry = state.entries[holder.id] else { continue }
            state.entries[holder.id]?.isCut = true
            state.leaving += entry.bytes
            state.cuts += 1
            victims.append(entry.cut)
        }
        return victims
    }
}

/// The connections that may be cut, by address and account.
private struct Holders {
    struct Holder {
        let id: ObjectIdentifier
        let owner: MemoryBudget.Owner
        let bytes: Int
    }

    private enum Group: Hashable {
        case address(ClientAddress)
        case account(String)
        /// Connections without an owner.
        case none
    }

    private var all: [Holder] = []
    private var sums: [Group: Int] = [:]
    private var members: [Group: [Int]] = [:]
    /// The members of a group in the order in which they are cut, the last one first.
    private var ordered: [Group: [Int]] = [:]
    private var isTaken: Set<Int> = []
    private var heap = MaximumHeap<Group>([])

    mutating func add(_ holder: Holder) {
        for group in Self.groups(of: holder.owner) {
            sums[group, default: 0] += holder.bytes
            members[group, default: []].append(all.count)
        }
        all.append(holder)
    }

    /// Takes the next connection to cut; nil if there is none left. The work grows with the logarithm of the
    /// number of groups: the loops wait for it.
    mutating func takeNext() -> Holder? {
        if heap.isEmpty { heap = MaximumHeap(sums.map { ($0.value, $0.key) }) }
        while let (sum, group) = heap.popMaximum() {
            // Sums only fall: a group that is out of date goes back to its place.
            if let current = sums[group], current < sum {
                heap.insert((current, group))
                continue
            }
            if ordered[group] == nil { ordered[group] = order(members[group] ?? []) }
            while let index = ordered[group]?.popLast() {
                if !isTaken.insert(index).inserted { continue }
                for group in Self.groups(of: all[index].owner) { sums[group]? -= all[index].bytes }
                heap.insert((sums[group] ?? 0, group))
                return all[index]
            }
        }
        return nil
    }

    /// Returns the members with those of the account that holds most among them last, and of these the
    /// largest last.
    private func order(_ indices: [Int]) -> [Int] {
        var accounts: [String?: Int] = [:]
        for index in indices { accounts[all[index].owner.account, default: 0] += all[index].bytes }
        let keys = Dictionary(
            uniqueKeysWithValues: indices.map { index in
                let account = all[index].owner.account
                return (index, (accounts[account] ?? 0, account ?? "", all[index].bytes))
            })
        return indices.sorted { left, right in
            guard let left = keys[left], let right = keys[right] else { return false }
            return left < right
        }
    }

    private static func groups(of owner: MemoryBudget.Owner) -> [Group] {
        let groups: [Group?] = [owner.client.map { .address($0) }, owner.account.map { .account($0) }]
        let known = groups.compactMap(\.self)
        return known.isEmpty ? [.none] : known
    }
}

/// A binary heap of values by their sums.
private struct MaximumHeap<Value> {
    typealias Element = (sum: Int, value: Value)

    private var elements: [Element]

    init(_ elements: [Element]) {
        // An array in falling order is a heap.
        self.elements = elements.sorted { $0.sum > $1.sum }
    }

    var isEmpty: Bool { elements.isEmpty }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[(child - 1) / 2].sum < elements[child].sum {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popMaximum() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        var parent = 0
        while true {
            var largest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < elements.count && elements[child].sum > elements[largest].sum {
                largest = child
            }
            if largest == parent { return first }
            elements.swapAt(parent, largest)
            parent = largest
        }
    }
}
