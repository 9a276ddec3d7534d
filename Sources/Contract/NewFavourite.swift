/// The body of `POST /v1/favourites`: whom to meet again, where that can be had.
public struct NewFavourite: RequestBody {
    /// The id of the registration of somebody who was met in a room.
    public var registrationId: Identifier

    public init(registrationId: Identifier) { self.registrationId = registrationId }

    public init(json: JSONValue) throws(RequestError) {
        var reader = RequestReader(json)
        registrationId = reader.id("registrationId")
        try reader.finish()
    }
}
