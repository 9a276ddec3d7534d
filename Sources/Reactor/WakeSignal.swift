/// A signal that wakes one waiter. A signal that is sent while there is no waiter is kept for the next wait,
/// and several count as one.
package final class WakeSignal: Sendable {
    private enum State {
        case idle
        case sent
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Lock(State.idle)

    package init() {}

    /// Sends the signal. It may be called from any thread.
    package func send() { change(to: .sent) }

    /// Returns true at a signal; false when the alarm rings, or if the task is cancelled. Only one caller
    /// waits at a time.
    ///
    /// `alarm` is called as the wait begins. It arranges for its argument to be called later, and returns a
    /// function that prevents this; after that call the alarm must not ring.
    @discardableResult
    package func wait(alarm: (@escaping @Sendable () -> Void) -> () -> Void = { _ in {} }) async -> Bool {
        var cancelAlarm = {}
        await suspend { cancelAlarm = alarm { self.endWait() } }
        cancelAlarm()
        return take()
    }

    /// Returns true at a signal; false when `sleep` returns, or if the task is cancelled. `sleep` runs in a
    /// child task, which is cancelled with the wait.
    @discardableResult
    package func wait(during sleep: @escaping @Sendable () async -> Void) async -> Bool {
        await withTaskGroup(of: Void.self) { group in
            await suspend {
                group.addTask {
                    await sleep()
                    self.endWait()
                }
            }
            group.cancelAll()
        }
        return take()
    }

    /// Waits, unless the signal was sent or the task cancelled. `begin` is called once the wait can be ended.
    private func suspend(_ begin: () -> Void) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    switch state {
                    case .sent: return true
                    case .idle where Task.isCancelled: return true
                    case .idle: state = .waiting(continuation)
                    case .waiting: preconditionFailure("two callers wait for one signal")
                    }
                    return false
                }
                if isOver { continuation.resume() } else { begin() }
            }
        } onCancel: {
            endWait()
        }
    }

    /// Ends the wait without a signal, if there is one.
    private func endWait() { change(to: .idle) }

    private func change(to next: State) {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard case .waiting(let continuation) = state else {
                if case .sent = next { state = .sent }
                return nil
            }
            state = next
            return continuation
        }
        waiter?.resume()
    }

    private func take() -> Bool {
        state.withLock { state in
            guard case .sent = state else { return false }
            state = .idle
            return true
        }
    }
}
