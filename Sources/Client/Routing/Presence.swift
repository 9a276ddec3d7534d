public import Contract

/// The presence of a member in the room.
public struct Presence: Hashable, Sendable {
    /// The id of the member's registration.
    public var member: Identifier
    /// Whether the member is in the room.
    public var present: Bool

    /// Makes a presence.
    public init(member: Identifier, present: Bool) {
        self.member = member
        self.present = present
    }
}
