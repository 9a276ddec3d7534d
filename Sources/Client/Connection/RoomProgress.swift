import Contract

/// The progress of a stay in a room: its position and its end. Instants are a `ClientClock`'s.
struct RoomProgress: Sendable {
    /// The room that was entered last; nil before the first entry.
    private var room: Identifier?
    /// The position for resuming; nil if the next connection starts fresh.
    private(set) var resume: (epoch: String, since: Int64)?
    /// The numbers of the last ales of members, of merged ales that were sent before others with lower
    /// numbers.
    private var ahead: [Identifier: Int64] = [:]
    /// The instant at which the room closes, by the server's own clock: the client's may be wrong.
    private var closes: Duration?

    var hasBeenInRoom: Bool { room != nil }

    /// Whether the room has closed, so that reconnecting is pointless.
    func isOver(at now: Duration) -> Bool { closes.map { now >= $0 } ?? false }

    /// Records an entry; returns whether the stay has missed nothing since the last connection.
    mutating func entered(_ handshake: ServerMessage.Handshake, at now: Duration) -> Bool {
        let isResumed = handshake.recovered && resume?.epoch == handshake.epoch
        room = handshake.room
        closes = now + handshake.closesAt.since(handshake.now)
        // After a resumption the missed ales follow, and count from the old position.
        if !isResumed { (resume, ahead) = ((handshake.epoch, handshake.seq), [:]) }
        return isResumed
    }

    /// Forgets the position where the way leads to another room, in which numbers of the old one mean
    /// nothing. A room that only changes its server takes its log along.
    mutating func moved(to room: Identifier) {
        if room != self.room { resume = nil }
    }

    /// Returns whether the ale is new, and moves the position to it, or to where the ale says.
    mutating func isNew(_ ale: ServerMessage.Ale) -> Bool {
        guard let (epoch, since) = resume, ale.seq > max(since, ahead[ale.from] ?? 0) else { return false }
        if let position = ale.merged?.since {
            ahead[ale.from] = ale.seq
            resume = (epoch, max(since, position))
        } else {
            resume = (epoch, ale.seq)
        }
        return true
    }

    /// Returns whether the number is new, and moves the position to it.
    mutating func isNew(seq: Int64) -> Bool {
        guard let (epoch, since) = resume, seq > since else { return false }
        resume = (epoch, seq)
        return true
    }
}
