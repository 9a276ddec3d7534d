import Synchronization

/// The number of connections of each loop of a server, including those on their way to it. Any thread may use
/// it.
final class LoopLoads: Sendable {
    private final class Load: Sendable {
        let count = Atomic<Int>(0)
    }

    private let loads: [Load]

    init(count: Int) { loads = (0..<count).map { _ in Load() } }

    var total: Int { loads.reduce(0) { $0 + $1.count.load(ordering: .relaxed) } }

    /// Returns the loop with the fewest connections, and the total of all loops. The given loop is preferred
    /// if no other has fewer, which saves the hand-over.
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

    /// Moves a connection to another loop's count. It is in at least one count at any instant.
    func move(from index: Int, to other: Int) {
        add(to: other)
        remove(from: index)
    }
}
