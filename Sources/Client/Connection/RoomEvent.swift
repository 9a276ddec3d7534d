public import Contract

/// An event in a room, or of the connection to it.
public enum RoomEvent: Hashable, Sendable {
    /// The connection is in the room. `resumed`: it was there before, and missed no ale since.
    case connected(ServerMessage.Handshake, resumed: Bool)
    /// An ale of another member; with merged ales, `count` of them.
    case ale(ServerMessage.Ale)
    /// The server has acknowledged an ale of this connection.
    case acknowledged(messageId: String, seq: Int64)
    /// The server has dropped a message of this connection, which is not sent again.
    case refused(code: String, detail: String, messageId: String?)
    /// A message of this connection has reached the bound of its `retrying` policy and is not sent again. It
    /// can have arrived.
    case givenUp(messageId: String)
    /// A member has entered or left the room.
    case presence(member: Identifier, present: Bool)
    /// A member, possibly the user, has set a check-in; nil if it was cleared.
    case checkIn(member: Identifier, checkIn: String?)
    /// A member, possibly the user, has set an outcome; nil if it was cleared.
    case outcome(member: Identifier, outcome: SessionOutcome?, note: String?)
    /// A member, possibly the user, has set a status; nil if it was cleared.
    case status(member: Identifier, status: MemberStatus?)
    /// The members of the room have changed; the list has all of them.
    case members([Member])
    /// The match continues in another room, and the connection follows.
    case moved(Identifier)
    /// A message of the operators to the room.
    case announcement(text: String, at: Timestamp)
    /// The connection is lost. The next attempt follows after the wait.
    case interrupted(reason: String, wait: Duration)
    /// That number of events was dropped, because this reader was too slow.
    case missed(Int)
    /// The connection is closed for good. No event follows.
    case closed(CloseReason)
}
