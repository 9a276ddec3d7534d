import Reactor

/// The part of the memory budget that a connection holds. Loop only.
struct HeldMemory {
    private var use: MemoryBudget.Use?
    private var bytes = 0

    /// Sets the bytes, and reports them to the budget if they changed.
    mutating func set(
        _ total: Int, for owner: @autoclosure () -> MemoryBudget.Owner, of connection: any TimeoutChecked,
        in worker: HTTPWorker
    ) {
        if total == bytes || (use == nil && total <= MemoryBudget.uncounted) { return }
        bytes = total
        if total <= MemoryBudget.uncounted {
            use = nil
            return
        }
        if use == nil {
            let (loop, bound) = (worker.loop, LoopBound(connection, to: worker.loop))
            use = worker.configuration.memory.enter(owner()) { loop.interrupt { bound.value.cut() } }
        }
        use?.set(total, for: owner())
    }

    /// Gives everything back, since the connection has ended.
    mutating func release() { self = HeldMemory() }
}
