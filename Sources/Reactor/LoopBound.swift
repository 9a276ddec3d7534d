/// A value that belongs to one loop, carried by a task or a closure that only that loop runs.
///
/// Unchecked: `value` can be reached on the loop's own thread alone, and stops the process elsewhere.
package struct LoopBound<Value>: @unchecked Sendable {
    private let loop: EventLoop
    private let stored: Value

    /// On the loop's thread only.
    package init(_ value: Value, to loop: EventLoop) {
        loop.preconditionCurrent()
        self.loop = loop
        stored = value
    }

    /// On the loop's thread only.
    package var value: Value {
        loop.preconditionCurrent()
        return stored
    }
}
