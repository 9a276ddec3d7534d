/// Somebody whom the caller likes to meet again. The other one is not told.
public struct Favourite: Codable, Hashable, Sendable {
    /// The one by which the person was named first; any other of theirs that was met in a room names them
    /// too.
    public var registrationId: Identifier
    /// What the person is called now.
    public var name: String
    public var createdAt: Timestamp

    public init(registrationId: Identifier, name: String, createdAt: Timestamp) {
        self.registrationId = registrationId
        self.name = name
        self.createdAt = createdAt
    }
}
