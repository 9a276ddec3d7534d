/// The body of `POST /v1/blocks`: whom not to meet again.
public struct NewBlock: RequestBody {
    /// The id of the registration of somebody who was met in a room.
    public var registrationId: Identifier
    /// What the operators of the service are told about it, and nobody else.
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
