import Reactor

/// A result that one caller waits for. It may come before the wait, and only the first one counts.
final class PendingResult<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, ClientError>, Never>

    private enum State {
        case open
        case awaited(Waiter)
        case settled(Result<Value, ClientError>)
    }

    private let state = Lock(State.open)

    func settle(_ result: Result<Value, ClientError>) {
        let waiter = state.withLock { state -> Waiter? in
            switch state {
            case .open:
                state = .settled(result)
                return nil
            case .awaited(let waiter):
                state = .settled(result)
                return waiter
            case .settled:
                return nil
            }
        }
        waiter?.resume(returning: result)
    }

    /// Waits for the result; throws `cancelled` if the waiting task is cancelled before it comes.
    func value() async throws(ClientError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiter) in
                let result = state.withLock { state -> Result<Value, ClientError>? in
                    switch state {
                    case .open:
                        state = .awaited(continuation)
                        return nil
                    case .awaited: preconditionFailure("a result has one caller that waits for it")
                    case .settled(let result): return result
                    }
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            settle(.failure(.cancelled))
        }
        return try result.get()
    }
}

extension PendingResult: Equatable {
    static func == (left: PendingResult, right: PendingResult) -> Bool { left === right }
}
