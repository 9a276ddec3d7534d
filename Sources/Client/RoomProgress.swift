import Contract
import Reactor

/// How far a session is: what it has heard, and which of its ales are not acknowledged.
struct RoomProgress: Sendable {
    private(set) var isInRoom = false
    private(set) var hasBeenInRoom = false
    /// MessageIds in the order they were sent.
    private(set) var pending: [String] = []
    /// Nil: the next connection starts anew.
    private(set) var resume: (epoch: String, since: Int64)?
    /// Two and a half heartbeats; this long without a byte means that the server is gone.
    private(set) var longestSilence = Duration.seconds(50)

    /// Monotonic nanoseconds at which the room closes, by the server's own clock: the client's may be wrong.
    private var closes: UInt64?

    /// Whether the room's time is over, so that nothing is left to come back to.
    var isOver: Bool { closes.map { Monotonic.nanoseconds() >= $0 } ?? false }

    /// Whether the session was in the room before, and has missed nothing.
    mutating func entered(_ handshake: ServerMessage.Handshake) -> Bool {
        let isResumed = handshake.recovered && resume?.epoch == handshake.epoch
        isInRoom = true
        hasBeenInRoom = true
        let left = handshake.closesAt.since(handshake.now)
        closes = Monotonic.nanoseconds() &+ left.clampedNanoseconds
        longestSilence = .milliseconds(min(max(handshake.pingSeconds, 1), 3600) * 2500)
        // Where it is resumed the missed ales follow, and count from where we were.
        if !isResumed { resume = (handshake.epoch, handshake.seq) }
        return isResumed
    }

    mutating func disconnected() { isInRoom = false }

    /// Numbers of the old room mean nothing in the new one.
    mutating func moved() { resume = nil }

    /// Whether an ale of this number has not been heard yet; it has from now on.
    mutating func isNew(seq: Int64) -> Bool {
        guard let (epoch, since) = resume, seq > since else { return false }
        resume = (epoch, seq)
        return true
    }

    mutating func add(_ messageId: String, limit: Int) -> Bool {
        guard pending.count < limit else { return false }
        pending.append(messageId)
        return true
    }

    mutating func acknowledged(_ messageId: String, seq: Int64) {
        drop(messageId)
        // An ack that is repeated has an old number.
        _ = isNew(seq: seq)
    }

    mutating func drop(_ messageId: String) { pending.removeAll { $0 == messageId } }
}
