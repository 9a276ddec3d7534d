/// The body of `PATCH /v1/me`. A nil member keeps the old value.
public struct UserPatch: RequestBody {
    public var name: String?
    public var timeZone: String?

    public init(name: String? = nil, timeZone: String? = nil) {
        self.name = name
        self.timeZone = timeZone
    }

    public init(json: JSONValue) throws(RequestError) {
        var reader = RequestReader(json)
        name = reader.replacement("name", .name)
        timeZone = reader.replacement("timeZone", .timeZone)
        try reader.finish()
    }
}
