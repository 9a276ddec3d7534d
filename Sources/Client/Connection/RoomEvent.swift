public import Contract

/// What happens in a room, and to the connection to it.
public enum RoomEvent: Hashable, Sendable {
    /// The connection is in the room. `resumed`: it had been before, and has missed nothing since.
    case connected(ServerMessage.Handshake, resumed: Bool)
    case ale(ServerMessage.Ale)
    /// One's own ale has arrived.
    case acknowledged(messageId: String, seq: Int64)
    /// One's own message was dropped by the server, and is not sent again.
    case refused(code: String, detail: String, messageId: String?)
    case presence(member: Identifier, present: Bool)
    /// The match changed.
    case members([Member])
    /// The match goes on in another room, and the connection follows.
    case moved(Identifier)
    /// The connection is gone; the next attempt comes after the wait.
    case interrupted(reason: String, wait: Duration)
    /// So many events were dropped here, because this reader was too slow.
    case missed(Int)
    /// The last event.
    case closed(CloseReason)
}
