/// The claimed deliveries that wait for their host to have room; the most urgent first.
struct Backlog<Message: Sendable> {
    private var queues: [String: [Delivery<Message>]] = [:]
    package private(set) var count = 0

    /// Returns the number of deliveries that wait for the host.
    package func count(of host: String) -> Int { queues[host]?.count ?? 0 }

    /// Returns the priority of the next delivery for the host.
    package func priority(of host: String) -> Int? { queues[host]?.first?.priority }

    /// Inserts a delivery behind those that are as urgent.
    package mutating func add(_ delivery: Delivery<Message>) {
        let before = queues[delivery.host]?.lastIndex { $0.priority <= delivery.priority }
        let place = before.map { $0 + 1 } ?? 0
        queues[delivery.host, default: []].insert(delivery, at: place)
        count += 1
    }

    /// Removes and returns the next delivery for the host.
    package mutating func next(for host: String) -> Delivery<Message>? {
        guard let first = queues[host]?.first else { return nil }
        if queues[host]?.count == 1 { queues[host] = nil } else { queues[host]?.removeFirst() }
        count -= 1
        return first
    }

    /// Returns the host with the most urgent next delivery, among those that have room.
    func mostUrgentHost(where hasRoom: (String, Int) -> Bool) -> String? {
        var best: (host: String, priority: Int)?
        for (host, queue) in queues {
            guard let priority = queue.first?.priority, priority < best?.priority ?? .max,
                hasRoom(host, priority)
            else {
                continue
            }
            best = (host, priority)
        }
        return best?.host
    }

    /// Removes and returns all deliveries that wait for the host.
    package mutating func removeAll(of host: String) -> [Delivery<Message>] {
        let queue = queues.removeValue(forKey: host) ?? []
        count -= queue.count
        return queue
    }

    /// Removes and returns all deliveries.
    @discardableResult
    package mutating func removeAll() -> [Delivery<Message>] {
        defer { (queues, count) = ([:], 0) }
        return queues.values.flatMap(\.self)
    }
}
