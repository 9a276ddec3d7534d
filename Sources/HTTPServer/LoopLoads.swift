import Synchronization

/// How many connections each loop of a server has, and those that are on their way to it. Any thread.
final class LoopLoads: Sendable {
    private final class Load: Sendable {
        let count = Atomic<Int>(0)
    }

    private let loads: [Load]

    init(count: Int) { loads = (0..<count).map { _ in Load() } }

    var total: Int { loads.reduce(0) { $0 + $1.count.load(ordering: .relaxed) } }

    /// The loop with the fewest connections, and how many all of them have. Where the given loop has no more
    /// than any other it is the one: that spares the way.
    func place(near index: Int) -> (index: Int, total: Int) {
        var best = (index: index, count: loads[index].count.load(ordering: .relaxed))
        var total = 0
        for (index, load) in loads.enumerated() {
            let count = load.count.load(ordering: .relaxed)
            total += count
            if count < best.count { best = (index, count) }
        }
        return (best.index, total)
    }

    func add(to index: Int) { loads[index].count.add(1, ordering: .relaxed) }

    func remove(from index: Int) { loads[index].count.subtract(1, ordering: .relaxed) }

    /// At no instant is a connection that moves in no count.
    func move(from index: Int, to other: Int) {
        add(to: other)
        remove(from: index)
    }
}
