public import Contract

/// An event in a room, or of the connection to it.
public enum RoomEvent: Hashable, Sendable {
    /// The connection is in the room. `resumed`: it was there before, and has missed nothing since.
    case connected(ServerMessage.Handshake, resumed: Bool)
    /// An ale of another member; with merged ales, `count` of them.
    case ale(ServerMessage.Ale)
    /// An ale of one's own was acknowledged.
    case acknowledged(messageId: String, seq: Int64)
    /// A message of one's own was dropped by the server, and is not sent again.
    case refused(code: String, detail: String, messageId: String?)
    /// A message of one's own has reached the bound of its `retrying` policy, and is not sent again. It may
    /// have arrived.
    case givenUp(messageId: String)
    case presence(member: Identifier, present: Bool)
    /// A member says something at the start, also oneself; nil if it was taken back.
    case checkIn(member: Identifier, checkIn: String?)
    /// A member says how the session went, also oneself; nil if it was taken back.
    case outcome(member: Identifier, outcome: SessionOutcome?, note: String?)
    /// A member says what they are doing, also oneself; nil if it was taken back.
    case status(member: Identifier, status: MemberStatus?)
    /// The match changed.
    case members([Member])
    /// The match goes on in another room, and the connection follows.
    case moved(Identifier)
    /// An operator of the service says something to the people in the room.
    case announcement(text: String, at: Timestamp)
    /// The connection is lost; the next attempt comes after the wait.
    case interrupted(reason: String, wait: Duration)
    /// The given number of events was dropped, because this reader was too slow.
    case missed(Int)
    /// The last event.
    case closed(CloseReason)
}
