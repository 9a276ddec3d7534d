import Contract
import Reactor

/// A wall clock that stands still until a test moves it.
final class TestClock: Sendable {
    private let time: Lock<Timestamp>

    init(_ time: Timestamp) { self.time = Lock(time) }

    var now: Timestamp {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}
