import Contract

extension OutgoingMessage {
    /// Returns an ale for the others in the room, with a new messageId.
    public static func ale() -> OutgoingMessage {
        var generator = SystemRandomNumberGenerator()
        return ale(id: Identifier.v4(using: &generator).description)
    }

    /// Returns an ale with that messageId. In one room it takes effect once, however often it is sent.
    public static func ale(id: String) -> OutgoingMessage {
        var text: [UInt8] = []
        // The room's id is left out, so that the ale can follow its sender into another room.
        ClientMessage.appendAle(room: nil, messageId: id, to: &text)
        return OutgoingMessage(id: id, type: "ale", text: text)
    }
}
