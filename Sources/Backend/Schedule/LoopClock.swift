import Contract
import Reactor

/// The time as the system has it, and the timers of a loop.
struct LoopClock: ScheduleClock {
    private let loop: EventLoop
    private let wallClock: @Sendable () -> Timestamp

    init(_ loop: EventLoop, now: @escaping @Sendable () -> Timestamp) {
        self.loop = loop
        wallClock = now
    }

    func now() -> Timestamp { wallClock() }

    func monotonicNanoseconds() -> UInt64 { Monotonic.nanoseconds() }

    func wake(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let timer = LoopBound(loop.schedule(after: delay, body), to: loop)
        return { [loop] in loop.cancel(timer.value) }
    }
}
