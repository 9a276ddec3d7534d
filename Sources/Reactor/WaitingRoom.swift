/// The callers that wait in an actor on a loop, each until it is released or its time is over. The actor
/// decides the order.
///
/// The cancellation of a caller, its deadline and its release all happen on the loop, one after the other,
/// and the first of them counts.
package struct WaitingRoom<Value: Sendable> {
    package typealias Continuation = CheckedContinuation<Value, Never>

    private struct Caller {
        let continuation: Continuation
        let timer: EventLoop.Timer
        /// The budget in which the caller has a place.
        let budget: WaiterBudget?
    }

    private let loop: EventLoop
    private var callers: [Int: Caller] = [:]
    private var lastNumber = 0

    package init(on loop: EventLoop) { self.loop = loop }

    /// Returns the number of a new caller, which grows with the arrival.
    package mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Keeps a caller, and calls `expired` on the loop if it has not been released within `patience`. Its
    /// place in the budget, which it has taken already, is given back with its release.
    package mutating func add(
        _ number: Int, _ continuation: Continuation, _ budget: WaiterBudget?, patience: Duration,
        expired: @escaping @Sendable () -> Void
    ) {
        let timer = loop.schedule(after: patience, expired)
        callers[number] = Caller(continuation: continuation, timer: timer, budget: budget)
    }

    /// Resumes a caller, if it still waits.
    package mutating func release(_ number: Int, _ value: Value) {
        guard let caller = callers.removeValue(forKey: number) else { return }
        loop.cancel(caller.timer)
        caller.budget?.giveBack()
        caller.continuation.resume(returning: value)
    }
}

extension EventLoop {
    /// Suspends a task that is on this loop until the continuation given to `begin` is resumed. If the task
    /// is cancelled, before or while it waits, `cancel` runs on the loop after `begin`, and perhaps before it
    /// too.
    package func suspend<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ begin: (CheckedContinuation<Value, Never>) -> Void,
        onCancel cancel: @escaping @Sendable () -> Void
    ) async -> Value {
        await withTaskCancellationHandler {
            // A closure has the isolation of a parameter only if it captures it.
            _ = isolation
            return await withCheckedContinuation { continuation in
                begin(continuation)
                // A cancellation that came before the wait has found nothing to cancel.
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            execute(cancel)
        }
    }
}
