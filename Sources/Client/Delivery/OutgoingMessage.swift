/// A message for a room, as it is sent each time until it is acknowledged.
public struct OutgoingMessage: Hashable, Sendable {
    /// The messageId, by which the server knows it again: 1 to 64 characters.
    public let id: String
    /// Such as `ale`: at most 64 bytes.
    public let type: String
    /// What the frame says, in UTF-8: at most 4 KiB.
    public let text: [UInt8]

    public init(id: String, type: String, text: [UInt8]) {
        self.id = id
        self.type = type
        self.text = text
    }
}
