public import Contract

/// An event in a room, or of the connection to it.
public enum RoomEvent: Hashable, Sendable {
    /// The connection is in the room. `resumed`: it was there before, and has missed nothing since.
    case connected(ServerMessage.Handshake, resumed: Bool)
    case ale(ServerMessage.Ale)
    /// An ale of one's own was acknowledged.
    case acknowledged(messageId: String, seq: Int64)
    /// A message of one's own was dropped by the server, and is not sent again.
    case refused(code: String, detail: String, messageId: String?)
    case presence(member: Identifier, present: Bool)
    /// A member says something at the start, also oneself; nil if it was taken back.
    case checkIn(member: Identifier, checkIn: String?)
    /// A member says how the session went, also oneself; nil if it was taken back.
    case outcome(member: Identifier, outcome: SessionOutcome?, note: String?)
    /// The match changed.
    case members([Member])
    /// The match goes on in another room, and the connection follows.
    case moved(Identifier)
    /// The connection is lost; the next attempt comes after the wait.
    case interrupted(reason: String, wait: Duration)
    /// The given number of events was dropped, because this reader was too slow.
    case missed(Int)
    /// The last event.
    case closed(CloseReason)
}
