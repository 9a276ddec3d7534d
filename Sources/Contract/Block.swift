/// A person whom the caller does not meet again. The blocked person is not told.
public struct Block: Codable, Hashable, Sendable {
    /// The registration by which the person was first named; any other registration of theirs that was met in
    /// a room names the same person.
    public var registrationId: Identifier
    /// The person's current name.
    public var name: String
    public var createdAt: Timestamp
    /// The report to the operators; left out if there is none.
    public var report: String?

    public init(registrationId: Identifier, name: String, createdAt: Timestamp, report: String? = nil) {
        self.registrationId = registrationId
        self.name = name
        self.createdAt = createdAt
        self.report = report
    }
}
