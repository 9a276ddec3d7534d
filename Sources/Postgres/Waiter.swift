import Reactor

/// Who waits for the answer of a channel, and how long. Loop only; its continuation is resumed by the
/// channel, once.
final class Waiter {
    let number: UInt64
    /// Nil waits without end.
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
