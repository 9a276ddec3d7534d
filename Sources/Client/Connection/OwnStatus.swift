import Contract

/// One's own status in a room, as it was last said on any device. A server that does not know it, since the
/// room has another one or is another one, is told again.
struct OwnStatus: Sendable {
    /// One's own registration in the room that was entered last.
    private var me: Identifier?
    /// The status that was last said; nil if none ever was.
    private var said: MemberStatus??

    /// Takes a status that is said on this device; nil takes an earlier one back.
    mutating func say(_ status: MemberStatus?) { said = .some(status) }

    /// Takes the status of a member from the server.
    mutating func heard(_ status: MemberStatus?, of member: Identifier) {
        // Another device of one's own may have said it.
        if member == me { said = .some(status) }
    }

    /// Takes the entry into a room. Returns the message for its server, if it does not know the status.
    mutating func entered(_ handshake: ServerMessage.Handshake) -> [UInt8]? {
        me = handshake.you
        let known = handshake.members.first { $0.id == handshake.you }?.status
        guard let said, said.map(Extensible.known) != known else { return nil }
        return Self.text(said)
    }

    static func text(_ status: MemberStatus?) -> [UInt8] {
        var text: [UInt8] = []
        ClientMessage.appendStatus(status, to: &text)
        return text
    }
}
