/// A member of a room, as another member sees them. A former user has neither task nor tag.
public struct Member: Hashable, Sendable {
    /// The id of the member's registration, never of the user.
    public var id: Identifier
    public var name: String
    public var task: String?
    public var tag: String?
    /// Whether this member is the user who receives the list.
    public var you: Bool
    public var present: Bool

    public init(id: Identifier, name: String, task: String?, tag: String?, you: Bool, present: Bool) {
        self.id = id
        self.name = name
        self.task = task
        self.tag = tag
        self.you = you
        self.present = present
    }
}

extension Member: Codable {
    private enum CodingKeys: String, CodingKey { case id, name, task, tag, you, present }

    /// Writes a missing task and a missing tag as null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(task, forKey: .task)
        try container.encode(tag, forKey: .tag)
        try container.encode(you, forKey: .you)
        try container.encode(present, forKey: .present)
    }
}

extension [Member] {
    /// Returns the same members, with `you` set for the member with this id.
    public func seen(by id: Identifier) -> [Member] {
        map { member in
            var seen = member
            seen.you = member.id == id
            return seen
        }
    }
}
