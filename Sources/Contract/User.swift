/// An account, as its owner sees it.
public struct User: Codable, Hashable, Sendable {
    public var id: Identifier
    public var name: String
    /// The IANA name of the user's time zone.
    public var timeZone: String
    public var createdAt: Timestamp

    public init(id: Identifier, name: String, timeZone: String, createdAt: Timestamp) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.createdAt = createdAt
    }
}
