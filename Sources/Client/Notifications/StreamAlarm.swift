import Reactor

/// An alarm that wakes a stream of notifications from outside: it ends a pause, and gives up a connection
/// that may be dead.
final class StreamAlarm: Awakened {
    private enum State {
        /// There is nothing to wake.
        case idle
        case pausing(CheckedContinuation<Void, Never>)
        case reading(Transport)
        /// The connection was given up, and its reader does not know it yet.
        case woken
    }

    private let state = Lock(State.idle)

    init() { LiveConnections.add(self) }

    deinit { LiveConnections.remove(self) }

    func resumed() { wake() }

    func networkChanged() { wake() }

    /// Waits for that duration, until the alarm wakes it, or until the task is cancelled.
    func pause(_ wait: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: wait) }
            group.addTask { await self.awakening() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Registers the connection that is given up when the alarm wakes.
    func reads(_ transport: Transport) { state.withLock { $0 = .reading(transport) } }

    /// Returns whether the connection was given up, and resets the alarm.
    func wasWoken() -> Bool {
        state.withLock { state in
            defer { state = .idle }
            if case .woken = state { return true }
            return false
        }
    }

    private func awakening() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    state = .pausing(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            endPause()
        }
    }

    private func wake() {
        let transport: Transport? = state.withLock { state in
            guard case .reading(let transport) = state else { return nil }
            state = .woken
            return transport
        }
        if let transport {
            transport.loop.execute { transport.assumeIsolated { $0.close() } }
        } else {
            endPause()
        }
    }

    private func endPause() {
        let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard case .pausing(let continuation) = state else { return nil }
            state = .idle
            return continuation
        }
        continuation?.resume()
    }
}
