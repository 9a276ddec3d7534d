/// The body of `POST /v1/favourites`: a person whom the caller would like to meet again.
public struct NewFavourite: RequestBody {
    /// The id of a registration that the person had in a shared room.
    public var registrationId: Identifier

    public init(registrationId: Identifier) { self.registrationId = registrationId }

    public init(json: JSONValue) throws(RequestError) {
        var reader = RequestReader(json)
        registrationId = reader.id("registrationId")
        try reader.finish()
    }
}
