/// A message for a room. Its bytes are the same each time it is sent, until it is acknowledged.
public struct OutgoingMessage: Hashable, Sendable {
    /// The messageId, by which the server recognises a repeated message: 1 to 64 characters.
    public let id: String
    /// The type, such as `ale`: at most 64 bytes.
    public let type: String
    /// The text of the frame in UTF-8: at most 4 KiB.
    public let text: [UInt8]

    /// Makes a message. Sending it throws `badMessage` if a member exceeds its limit.
    public init(id: String, type: String, text: [UInt8]) {
        self.id = id
        self.type = type
        self.text = text
    }
}
