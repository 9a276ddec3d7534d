extension Routes {
    public static let timeZones = "/v1/time-zones"
}

/// The answer of `GET /v1/time-zones`: the IANA names for which the database of the server has rules.
///
/// Other names of the same zones are accepted too, such as `Asia/Calcutta` if the list has `Asia/Kolkata`.
public struct TimeZoneList: Codable, Hashable, Sendable {
    public var timeZones: [String]

    public init(timeZones: [String]) { self.timeZones = timeZones }
}
