import Contract
import Reactor
import Scheduling

/// A clock with the timers of a loop.
struct LoopClock: ScheduleClock {
    private let loop: EventLoop
    private let time: CurrentTime
    private let reference: ReferenceClock?

    /// Creates a clock that shows the time of the reference clock.
    init(_ loop: EventLoop, _ reference: ReferenceClock) {
        self.loop = loop
        self.reference = reference
        time = { reference.now() }
    }

    /// Creates a clock that shows the given time, and is always certain.
    init(_ loop: EventLoop, now: @escaping CurrentTime) {
        self.loop = loop
        reference = nil
        time = now
    }

    func now() -> Timestamp { time() }

    var isCertain: Bool { reference?.isCertain ?? true }

    func monotonicNanoseconds() -> UInt64 { Monotonic.nanoseconds() }

    func wake(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let timer = LoopBound(loop.schedule(after: delay, body), to: loop)
        return { [loop] in loop.cancel(timer.value) }
    }
}
