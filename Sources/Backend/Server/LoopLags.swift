import Codecs
import Reactor

/// The lag of event loops: how much later than due a timer runs on each, looked at four times a second.
///
/// Work that keeps a loop busy makes its timer late. A look that a late timer has missed counts too, with the
/// lag that it would have had: else a loop that stands still would have few lags. The turns of a loop are not
/// measured, so that no ale pays for it.
final class LoopLags: Sendable {
    private static let interval = Duration.milliseconds(250)
    /// The most looks that count for one timer: those of a minute.
    private static let missed = 240
    /// The first bound is more than the millisecond by which a timer may be late on an idle loop.
    private static let bounds = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

    /// The looks at one loop.
    private struct Looks {
        var seconds = Histogram(bounds: LoopLags.bounds)
        /// When the timer that is under way is due, and how late the one before was, in nanoseconds.
        var due = UInt64.max
        var latest: UInt64 = 0
    }

    private let loops: [(loop: EventLoop, looks: Lock<Looks>)]

    /// Begins to look at the loops, until they stop.
    init(_ loops: [EventLoop]) {
        self.loops = loops.map { ($0, Lock(Looks())) }
        for (loop, looks) in self.loops { loop.execute { Self.look(at: loop, looks) } }
    }

    private static func look(at loop: EventLoop, _ looks: Lock<Looks>) {
        let due = Monotonic.nanoseconds() &+ interval.clampedNanoseconds
        looks.withLock { $0.due = due }
        // The loop drops its timers as it ends, and with them the references to itself.
        loop.schedule(after: interval) {
            let now = Monotonic.nanoseconds()
            looks.withLock { looks in
                looks.latest = now > due ? now - due : 0
                add(looks.latest, to: &looks.seconds)
            }
            look(at: loop, looks)
        }
    }

    private static func add(_ lag: UInt64, to seconds: inout Histogram) {
        var lag = lag
        for _ in 0..<missed {
            seconds.add(Double(lag) / 1e9)
            if lag <= interval.clampedNanoseconds { return }
            lag -= interval.clampedNanoseconds
        }
    }

    /// The lags of each loop until now, in seconds.
    var current: [(name: String, seconds: Histogram)] {
        loops.map { loop, looks in (loop.name, looks.withLock { $0.seconds }) }
    }

    /// How late the latest timer of each loop was, or already is, in seconds.
    var latest: [Double] {
        let now = Monotonic.nanoseconds()
        return loops.map { _, looks in
            looks.withLock { Double(max($0.latest, now > $0.due ? now - $0.due : 0)) / 1e9 }
        }
    }

    var figure: Figure {
        Figure(
            "loop_lag_seconds", "How late a timer runs on an event loop, looked at four times a second.",
            by: "loop", current.map { ($0, $1) })
    }
}
