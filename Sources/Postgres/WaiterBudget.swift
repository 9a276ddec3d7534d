import Synchronization

/// The callers that may wait for connections of several pools together. Any thread may use it.
package final class WaiterBudget: Sendable {
    /// The budget of the process.
    static let process = WaiterBudget(maximum: 20_000)

    let maximum: Int
    private let count = Atomic(0)

    package init(maximum: Int) { self.maximum = maximum }

    /// Takes a place. Returns false if all are taken.
    func take() -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= maximum { return true }
        giveBack()
        return false
    }

    func giveBack() { count.subtract(1, ordering: .relaxed) }
}
