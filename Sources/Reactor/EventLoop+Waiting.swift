extension EventLoop {
    /// Runs the body on the loop, and blocks the calling thread until it is done: for rare, short work. It
    /// must not be called on the loop itself.
    package func runAndWait<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        precondition(!isCurrent, "loop \(name) waits for itself")
        let result = Monitor<Value?>(nil)
        execute {
            let value = body()
            result.change { $0 = value }
        }
        return result.wait { $0.map { .found($0) } ?? .nothing(until: nil) }
    }
}
