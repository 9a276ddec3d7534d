/// The body of `POST /v1/blocks`: a person whom the caller will not meet again.
public struct NewBlock: RequestBody {
    /// The id of a registration that the person had in a shared room.
    public var registrationId: Identifier
    /// A report for the operators of the service only.
    public var report: String?

    public init(registrationId: Identifier, report: String? = nil) {
        self.registrationId = registrationId
        self.report = report
    }

    public init(json: JSONValue) throws(RequestError) {
        var reader = RequestReader(json)
        registrationId = reader.id("registrationId")
        report = reader.optionalText("report", .report)
        try reader.finish()
    }
}
