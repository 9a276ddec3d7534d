extension Routes {
    public static let now = "/v1/now"
}

/// The answer of `GET /v1/now`: how many people work together at this moment, for everybody to see.
public struct PeopleNow: Codable, Hashable, Sendable {
    /// The instant at which they were counted, which may be some seconds ago.
    public var time: Timestamp
    /// The number of people who are present in rooms, on all servers.
    public var peopleInRooms: Int64

    public init(time: Timestamp, peopleInRooms: Int64) {
        self.time = time
        self.peopleInRooms = peopleInRooms
    }
}
