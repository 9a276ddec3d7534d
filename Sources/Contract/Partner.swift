/// A person whom a notification names. A former user has neither task nor tag.
public struct Partner: Hashable, Sendable {
    /// The id of the partner's registration, never of the user.
    public var id: Identifier
    public var name: String
    public var task: String?
    public var tag: String?

    public init(id: Identifier, name: String, task: String?, tag: String?) {
        self.id = id
        self.name = name
        self.task = task
        self.tag = tag
    }
}

extension Partner: Codable {
    private enum CodingKeys: String, CodingKey { case id, name, task, tag }

    /// Writes a missing task and a missing tag as null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(task, forKey: .task)
        try container.encode(tag, forKey: .tag)
    }
}
