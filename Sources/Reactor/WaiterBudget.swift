import Synchronization

/// The callers that may wait together: for connections of several pools, and for locks. Any thread may use
/// it.
package final class WaiterBudget: Sendable {
    /// The budget of the process.
    package static let process = WaiterBudget(maximum: 20_000)

    package let maximum: Int
    private let count = Atomic(0)

    package init(maximum: Int) { self.maximum = maximum }

    /// Takes a place. Returns false if all are taken.
    package func take() -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= maximum { return true }
        giveBack()
        return false
    }

    package func giveBack() { count.subtract(1, ordering: .relaxed) }
}
