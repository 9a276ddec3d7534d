/// The answer of `GET /v1/favourites`, newest first.
public struct FavouriteList: Codable, Hashable, Sendable {
    public var favourites: [Favourite]
    /// The cursor of the next page; left out on the last one.
    public var nextCursor: String?

    public init(favourites: [Favourite], nextCursor: String? = nil) {
        self.favourites = favourites
        self.nextCursor = nextCursor
    }
}
