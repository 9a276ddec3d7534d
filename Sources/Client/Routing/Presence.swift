public import Contract

/// The presence of a member in the room.
public struct Presence: Hashable, Sendable {
    public var member: Identifier
    public var present: Bool

    public init(member: Identifier, present: Bool) {
        self.member = member
        self.present = present
    }
}
