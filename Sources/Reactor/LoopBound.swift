/// A value that belongs to one loop, carried by a task or a closure that only that loop runs.
///
/// Unchecked: `value` can be read on the loop's own thread only, and stops the process elsewhere.
package struct LoopBound<Value>: @unchecked Sendable {
    private let loop: EventLoop
    private let stored: Value

    /// Call it on the loop's thread only.
    package init(_ value: Value, to loop: EventLoop) {
        loop.preconditionCurrent()
        self.loop = loop
        stored = value
    }

    /// Call it on the loop's thread only.
    package var value: Value {
        loop.preconditionCurrent()
        return stored
    }
}
