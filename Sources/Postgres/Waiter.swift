import Reactor

/// A task that waits for the answer of a channel. Loop only; the channel resumes its continuation once.
final class Waiter {
    let number: UInt64
    /// The longest time to wait; nil for no limit.
    let timeout: Duration?
    let continuation: CheckedContinuation<Channel.Answer, Never>
    var timer: EventLoop.Timer?

    init(
        number: UInt64, timeout: Duration?, continuation: CheckedContinuation<Channel.Answer, Never>
    ) {
        self.number = number
        self.timeout = timeout
        self.continuation = continuation
    }
}
