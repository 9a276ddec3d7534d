import Synchronization

/// The work that a loop runs between two events of a turn. Any thread may add to it.
final class Interrupts: Sendable {
    private let isPending = Atomic<Bool>(false)
    private let bodies = Lock<[@Sendable () -> Void]>([])

    func add(_ body: @escaping @Sendable () -> Void) {
        bodies.withLock { $0.append(body) }
        isPending.store(true, ordering: .releasing)
    }

    /// Runs the work that was added. Loop only.
    func run() {
        guard isPending.load(ordering: .acquiring) else { return }
        isPending.store(false, ordering: .relaxed)
        let added = bodies.withLock { bodies in
            defer { bodies = [] }
            return bodies
        }
        for body in added { body() }
    }
}

extension EventLoop {
    /// Runs the body on the loop after the event that is being handled, before the other events of the turn:
    /// for work that makes room for what these bring.
    package func interrupt(_ body: @escaping @Sendable () -> Void) {
        interrupts.add(body)
        // A loop that waits, or is at the end of its turn, begins another one.
        execute { self.interrupts.run() }
    }
}
