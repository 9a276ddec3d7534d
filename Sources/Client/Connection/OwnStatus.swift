import Contract

/// The latest status of the user in a room, set on any device. It is sent again after a change of the room or
/// of its server.
struct OwnStatus: Sendable {
    /// The registration of the user in the room that was entered last.
    private var me: Identifier?
    /// The latest status; nil if none was set.
    private var said: MemberStatus??

    /// Takes a status that this device sets; nil clears it.
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
