/// Why the caller meets this one.
public struct ExplainedMember: Codable, Hashable, Sendable {
    /// The id of this member's registration, never of the user.
    public var id: Identifier
    public var name: String
    /// What can be told without telling what others keep to themselves; empty for a former user, at times.
    public var reasons: [MeetingReason]

    public init(id: Identifier, name: String, reasons: [MeetingReason]) {
        self.id = id
        self.name = name
        self.reasons = reasons
    }
}
