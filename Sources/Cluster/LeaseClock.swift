package import Reactor
import Synchronization

/// The deadline of the lease, for all loops. It fences a server off: after the deadline the server
/// acknowledges no messages.
package final class LeaseClock: Sendable {
    private let deadline = Atomic<Int64>(.min)
    private let wanted = Atomic<Bool>(false)
    private let now: @Sendable () -> Int64
    private let wake: WakeSignal

    /// Creates a clock whose answer is no until the first deadline. `now` is in microseconds since the start
    /// of the machine; `wake` is sent if a caller is refused.
    package init(
        now: @escaping @Sendable () -> Int64 = { Monotonic.sinceBoot() }, wake: WakeSignal = WakeSignal()
    ) {
        self.now = now
        self.wake = wake
    }

    /// Whether the deadline is not past. Any thread may ask, as often as it likes.
    package var mayAnswer: Bool {
        if now() < deadline.load(ordering: .acquiring) { return true }
        if !wanted.exchange(true, ordering: .acquiringAndReleasing) { wake.send() }
        return false
    }

    /// Whether a caller was refused since the deadline was last in the future.
    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    /// Sets the deadline. Returns whether a caller was refused since it was last in the future: if the lease
    /// holds again now, only the caller of this method can let those know. A caller that is still refused by
    /// the previous deadline is found by the next call, for which `wake` is sent.
    func set(_ deadline: Int64) -> Bool {
        self.deadline.store(deadline, ordering: .releasing)
        return now() < deadline ? wanted.exchange(false, ordering: .acquiringAndReleasing) : isWanted
    }
}
