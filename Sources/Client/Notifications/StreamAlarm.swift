import Reactor

/// Wakes a stream of notifications from outside: a pause is over, and a connection that may be dead is given
/// up.
final class StreamAlarm: Awakened {
    private enum State {
        /// Nothing is to be woken.
        case idle
        case pausing(CheckedContinuation<Void, Never>)
        case reading(Transport)
        /// The connection was given up, which its reader does not know yet.
        case woken
    }

    private let state = Lock(State.idle)

    init() { LiveConnections.add(self) }

    deinit { LiveConnections.remove(self) }

    func resumed() { wake() }

    func networkChanged() { wake() }

    /// Returns after the wait, when it is woken, or when the task is cancelled.
    func pause(_ wait: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: wait) }
            group.addTask { await self.awakening() }
            await group.next()
            group.cancelAll()
        }
    }

    /// From now on that connection is given up when it is woken.
    func reads(_ transport: Transport) { state.withLock { $0 = .reading(transport) } }

    /// Whether the connection was given up; asked once.
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
