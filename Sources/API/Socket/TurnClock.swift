import Contract
import Reactor

/// A clock that is read once in a turn of the loop: all ales of a turn have one time. Loop only.
final class TurnClock {
    private let loop: EventLoop
    private let clock: CurrentTime
    private var reading: (turn: UInt64, time: Timestamp)

    init(_ loop: EventLoop, _ clock: @escaping CurrentTime) {
        self.loop = loop
        self.clock = clock
        reading = (loop.turn, clock())
    }

    package var now: Timestamp {
        let turn = loop.turn
        if reading.turn != turn { reading = (turn, clock()) }
        return reading.time
    }
}
