import Contract

extension OutgoingMessage {
    /// A cheer for the others in the room, under a messageId of its own.
    public static func ale() -> OutgoingMessage {
        var generator = SystemRandomNumberGenerator()
        return ale(id: Identifier.v4(using: &generator).description)
    }

    /// The same with a messageId: whoever sends it twice in a room cheers once.
    public static func ale(id: String) -> OutgoingMessage {
        var text: [UInt8] = []
        // Without the room's id, so that it can follow its sender into another one.
        ClientMessage.appendAle(room: nil, messageId: id, to: &text)
        return OutgoingMessage(id: id, type: "ale", text: text)
    }
}
