import Reactor

/// A task that waits for the answer of a channel. Loop only; the channel resumes its continuation once.
///
/// A task that is cancelled abandons its waiter: the task goes on at once, the call goes on without it, and
/// its answer is discarded.
final class Waiter {
    let number: UInt64
    /// The longest time that the call may take; nil for no limit.
    let timeout: Duration?
    /// The continuation of the task; nil for a call that no task waits for.
    private var continuation: CheckedContinuation<Channel.Answer, Never>?
    private(set) var isAbandoned = false
    /// Whether the call restores the session after another one that was abandoned.
    let isRestoring: Bool
    var timer: EventLoop.Timer?

    init(
        number: UInt64, timeout: Duration?, continuation: CheckedContinuation<Channel.Answer, Never>
    ) {
        self.number = number
        self.timeout = timeout
        self.continuation = continuation
        isRestoring = false
    }

    /// Creates the waiter of a call that restores a session after another one was abandoned.
    init(restoringAfter abandoned: Waiter, number: UInt64) {
        self.number = number
        timeout = abandoned.timeout
        isAbandoned = true
        isRestoring = true
    }

    func resume(_ answer: Channel.Answer) {
        continuation?.resume(returning: answer)
        continuation = nil
    }

    func abandon() {
        isAbandoned = true
        resume(.failure(.cancelled))
    }
}

/// The steps after a call whose task was cancelled, for a connection that outlives its callers.
struct Recovery {
    /// Returns the script that restores the session; nil if it needs none. The flag says whether the call
    /// that has ended failed.
    let script: (_ hasFailed: Bool) -> String?
    /// Called when nothing is under way any more, or the connection is closed.
    let ended: () -> Void
}
