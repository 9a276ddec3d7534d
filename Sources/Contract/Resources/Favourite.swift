extension Routes {
    public static let favourites = "/v1/favourites"
    public static func favourite(_ registration: Identifier) -> String { "\(favourites)/\(registration)" }
}

/// A person that the server prefers as a partner of the caller. The other person is not notified.
public struct Favourite: Codable, Hashable, Sendable {
    /// The registration by which the person was added. Each of their registrations in a shared room
    /// identifies the same person.
    public var registrationId: Identifier
    /// The person's current name.
    public var name: String
    public var createdAt: Timestamp

    public init(registrationId: Identifier, name: String, createdAt: Timestamp) {
        self.registrationId = registrationId
        self.name = name
        self.createdAt = createdAt
    }
}

/// The answer of `GET /v1/favourites`, newest first.
public struct FavouriteList: Codable, Hashable, Sendable {
    public var favourites: [Favourite]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(favourites: [Favourite], nextCursor: String? = nil) {
        self.favourites = favourites
        self.nextCursor = nextCursor
    }
}

/// The body of `POST /v1/favourites`.
public struct NewFavourite: RequestBody {
    /// The registration of the person in a shared room.
    public var registrationId: Identifier

    public static let members: [BodyMember] = [.word("registrationId", BodyMember.id)]

    public init(registrationId: Identifier) { self.registrationId = registrationId }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        registrationId = reader.id("registrationId")
    }
}
