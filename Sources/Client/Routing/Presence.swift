public import Contract

/// Whether a member is in the room.
public struct Presence: Hashable, Sendable {
    public var member: UUID
    public var present: Bool

    public init(member: UUID, present: Bool) {
        self.member = member
        self.present = present
    }
}
