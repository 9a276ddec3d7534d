import Reactor

/// An alarm that wakes a stream of notifications from outside: it ends a pause, and gives up a connection
/// that may be dead.
final class StreamAlarm: Awakened {
    private enum State {
        /// There is nothing to wake.
        case idle
        case pausing(WakeSignal)
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
        let signal = WakeSignal()
        state.withLock { $0 = .pausing(signal) }
        await signal.wait(during: { try? await Task.sleep(for: wait) })
        state.withLock { $0 = .idle }
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

    private func wake() {
        let before = state.withLock { state in
            defer { if case .reading = state { state = .woken } }
            return state
        }
        switch before {
        case .idle, .woken: break
        case .pausing(let signal): signal.send()
        case .reading(let transport): transport.loop.execute { transport.assumeIsolated { $0.close() } }
        }
    }
}
