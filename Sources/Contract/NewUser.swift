/// The body of `POST /v1/users`.
public struct NewUser: RequestBody {
    public var name: String
    /// The IANA name of a time zone; nil means `UTC`.
    public var timeZone: String?

    public init(name: String, timeZone: String? = nil) {
        self.name = name
        self.timeZone = timeZone
    }

    public init(json: JSONValue) throws(RequestError) {
        var reader = RequestReader(json)
        name = reader.text("name", .name)
        timeZone = reader.optionalText("timeZone", .timeZone)
        try reader.finish()
    }
}
