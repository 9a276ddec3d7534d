import Contract
import Reactor

extension WallClock {
    static var now: Timestamp { Timestamp(microseconds: microseconds()) }
}
