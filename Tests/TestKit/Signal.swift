import Reactor

/// An event that happens once, and that a test waits for.
package final class Signal<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, Never>])
        case happened(Value)
    }

    private let state = Lock(State.waiting([]))

    package init() {}

    /// Sends the event; only the first call counts.
    package func send(_ value: Value) {
        let waiting = state.withLock { state in
            switch state {
            case .waiting(let continuations):
                state = .happened(value)
                return continuations
            case .happened: return []
            }
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    package func value() async -> Value {
        await withCheckedContinuation { continuation in
            let known: Value? = state.withLock { state in
                switch state {
                case .waiting(let continuations):
                    state = .waiting(continuations + [continuation])
                    return nil
                case .happened(let value): return value
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}

extension Signal<Void> {
    package func send() { send(()) }
}
