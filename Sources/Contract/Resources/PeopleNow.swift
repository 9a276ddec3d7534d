extension Routes {
    public static let now = "/v1/now"
}

/// The answer of `GET /v1/now`: how many people work together at this moment, and how accounts are made.
public struct PeopleNow: Codable, Hashable, Sendable {
    /// The instant at which they were counted, which may be some seconds ago.
    public var time: Timestamp
    /// The number of people who are present in rooms, on all servers.
    public var peopleInRooms: Int64

    /// The ways in which people make accounts; empty if operators make them, and nil from a server of an
    /// earlier version.
    public var signUps: [Extensible<SignUpWay>]?

    public init(time: Timestamp, peopleInRooms: Int64, signUps: [SignUpWay]? = nil) {
        self.time = time
        self.peopleInRooms = peopleInRooms
        self.signUps = signUps?.map { .known($0) }
    }
}
