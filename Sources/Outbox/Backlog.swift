/// What is claimed and waits for its host to have room; the most urgent first.
struct Backlog<Message: Sendable> {
    private var queues: [String: [Delivery<Message>]] = [:]
    package private(set) var count = 0

    /// How many wait for that host.
    package func count(of host: String) -> Int { queues[host]?.count ?? 0 }

    /// The priority of the next delivery for that host.
    package func priority(of host: String) -> Int? { queues[host]?.first?.priority }

    /// Behind those that are as urgent.
    package mutating func add(_ delivery: Delivery<Message>) {
        let before = queues[delivery.host]?.lastIndex { $0.priority <= delivery.priority }
        let place = before.map { $0 + 1 } ?? 0
        queues[delivery.host, default: []].insert(delivery, at: place)
        count += 1
    }

    /// Takes the next one for that host.
    package mutating func next(for host: String) -> Delivery<Message>? {
        guard let first = queues[host]?.first else { return nil }
        if queues[host]?.count == 1 { queues[host] = nil } else { queues[host]?.removeFirst() }
        count -= 1
        return first
    }

    /// The host whose next one is the most urgent, of those that have room.
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

    /// Takes all that wait for that host.
    package mutating func removeAll(of host: String) -> [Delivery<Message>] {
        let queue = queues.removeValue(forKey: host) ?? []
        count -= queue.count
        return queue
    }

    /// Takes all.
    @discardableResult
    package mutating func removeAll() -> [Delivery<Message>] {
        defer { (queues, count) = ([:], 0) }
        return queues.values.flatMap(\.self)
    }
}
