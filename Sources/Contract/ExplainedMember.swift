/// A member of a room, with the reasons for which the caller meets them.
public struct ExplainedMember: Codable, Hashable, Sendable {
    /// The id of this member's registration, never of the user.
    public var id: Identifier
    public var name: String
    /// The reasons that reveal nothing private about others; may be empty for a former user.
    public var reasons: [MeetingReason]

    public init(id: Identifier, name: String, reasons: [MeetingReason]) {
        self.id = id
        self.name = name
        self.reasons = reasons
    }
}
