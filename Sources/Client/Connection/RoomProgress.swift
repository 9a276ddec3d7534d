import Contract

/// How far a stay in a room is: what it has heard, and when it is over. Instants are a `ClientClock`'s.
struct RoomProgress: Sendable {
    private(set) var isInRoom = false
    private(set) var hasBeenInRoom = false
    /// Nil: the next connection starts anew.
    private(set) var resume: (epoch: String, since: Int64)?
    /// When the room closes, by the server's own clock: the client's may be wrong.
    private var closes: Duration?

    /// Whether the room's time is over, so that nothing is left to come back to.
    func isOver(at now: Duration) -> Bool { closes.map { now >= $0 } ?? false }

    /// Whether the stay has missed nothing since it was here before.
    mutating func entered(_ handshake: ServerMessage.Handshake, at now: Duration) -> Bool {
        let isResumed = handshake.recovered && resume?.epoch == handshake.epoch
        isInRoom = true
        hasBeenInRoom = true
        closes = now + handshake.closesAt.since(handshake.now)
        // Where it is resumed the missed ales follow, and count from where we were.
        if !isResumed { resume = (handshake.epoch, handshake.seq) }
        return isResumed
    }

    mutating func disconnected() { isInRoom = false }

    /// Numbers of the old room mean nothing in the new one.
    mutating func moved() { resume = nil }

    /// Whether nothing with this number was heard yet. It is from now on, whatever the caller does with it.
    mutating func isNew(seq: Int64) -> Bool {
        guard let (epoch, since) = resume, seq > since else { return false }
        resume = (epoch, seq)
        return true
    }
}
