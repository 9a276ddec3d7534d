/// Somebody whom the caller does not meet again. The other one is not told.
public struct Block: Codable, Hashable, Sendable {
    /// The one by which the person was named first; any other of theirs that was met in a room names them
    /// too.
    public var registrationId: Identifier
    /// What the person is called now.
    public var name: String
    public var createdAt: Timestamp
    /// What the operators were told; left out where they were told nothing.
    public var report: String?

    public init(registrationId: Identifier, name: String, createdAt: Timestamp, report: String? = nil) {
        self.registrationId = registrationId
        self.name = name
        self.createdAt = createdAt
        self.report = report
    }
}
