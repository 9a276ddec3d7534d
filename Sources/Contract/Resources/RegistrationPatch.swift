/// The body of `PATCH /v1/registrations/{id}`.
public struct RegistrationPatch: RequestBody {
    /// The new task; nil keeps the old one.
    public var task: String?
    public var tag: Change<String>

    public init(task: String? = nil, tag: Change<String> = .keep) {
        self.task = task
        self.tag = tag
    }

    public init(json: JSONValue) throws(RequestError) {
        var reader = RequestReader(json)
        task = reader.replacement("task", .task)
        tag = reader.change("tag", .tag)
        try reader.finish()
    }
}

extension RegistrationPatch: Encodable {
    private enum Key: String, CodingKey { case task, tag }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(task, forKey: .task)
        switch tag {
        case .keep: break
        case .clear: try container.encodeNil(forKey: .tag)
        case .set(let tag): try container.encode(tag, forKey: .tag)
        }
    }
}
