import Reactor
import Synchronization

/// The number of connections of each loop of a server, including those on their way to it. Any thread may use
/// it.
final class LoopLoads: Sendable {
    private final class Load: Sendable {
        let count = Atomic<Int>(0)
    }

    private let loads: [Load]
    /// The descriptors of connections; nil for no bound.
    private let descriptors: DescriptorBudget.Share?

    init(count: Int, descriptors: DescriptorBudget.Share? = nil) {
        loads = (0..<count).map { _ in Load() }
        self.descriptors = descriptors
    }

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

    /// Counts a connection; returns false if there is no descriptor for it.
    func add(to index: Int) -> Bool {
        guard descriptors?.take() ?? true else { return false }
        loads[index].count.add(1, ordering: .relaxed)
        return true
    }

    func remove(from index: Int) {
        loads[index].count.subtract(1, ordering: .relaxed)
        descriptors?.giveBack()
    }

    /// Moves a connection to another loop's count. It is in at least one count at any instant.
    func move(from index: Int, to other: Int) {
        loads[other].count.add(1, ordering: .relaxed)
        loads[index].count.subtract(1, ordering: .relaxed)
    }
}
