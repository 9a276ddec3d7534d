extension Routes {
    public static let now = "/v1/now"
}

/// The answer of `GET /v1/now`: the number of people in rooms, and the ways to sign up.
public struct PeopleNow: Codable, Hashable, Sendable {
    /// The time of the count, which can be some seconds old.
    public var time: Timestamp
    /// The number of people who are present in rooms, on all servers.
    public var peopleInRooms: Int64

    /// The ways to sign up; empty if operators make the accounts, nil from a server of an earlier version.
    public var signUps: [Extensible<SignUpWay>]?

    public init(time: Timestamp, peopleInRooms: Int64, signUps: [SignUpWay]? = nil) {
        self.time = time
        self.peopleInRooms = peopleInRooms
        self.signUps = signUps?.map { .known($0) }
    }
}
