/// A person whom the caller likes to meet again. The other person is not told.
public struct Favourite: Codable, Hashable, Sendable {
    /// The registration by which the person was first named; any other registration of theirs that was met in
    /// a room names the same person.
    public var registrationId: Identifier
    /// The person's current name.
    public var name: String
    public var createdAt: Timestamp

    public init(registrationId: Identifier, name: String, createdAt: Timestamp) {
        self.registrationId = registrationId
        self.name = name
        self.createdAt = createdAt
    }
}
