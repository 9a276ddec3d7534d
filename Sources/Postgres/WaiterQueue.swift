/// Callers in the order of their arrival, each of which may leave. A step takes constant time on average,
/// however many callers wait.
struct WaiterQueue {
    typealias Waiter = Int

    /// The callers that wait, and some that have left.
    private var order: [Waiter] = []
    /// The index of the first caller in `order` that has not been taken.
    private var start = 0
    private var members: Set<Waiter> = []

    var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }
    /// The callers that wait, in no order.
    var all: Set<Waiter> { members }

    mutating func append(_ waiter: Waiter) {
        order.append(waiter)
        members.insert(waiter)
    }

    mutating func popFirst() -> Waiter? {
        defer { compact() }
        while start < order.count {
            let waiter = order[start]
            start += 1
            if members.remove(waiter) != nil { return waiter }
        }
        return nil
    }

    /// Removes a caller. Returns false if it was not waiting.
    mutating func remove(_ waiter: Waiter) -> Bool {
        defer { compact() }
        return members.remove(waiter) != nil
    }

    mutating func removeAll() { self = WaiterQueue() }

    /// Drops the places of callers that were taken or have left, once they are more than half of all.
    private mutating func compact() {
        guard order.count > 2 * members.count + 16 else { return }
        order = order[start...].filter(members.contains)
        start = 0
    }
}
