extension Routes {
    public static let timeZones = "/v1/time-zones"
}

/// The answer of `GET /v1/time-zones`: the IANA names of the time zones that the server knows, sorted.
///
/// Requests can also use linked names, such as `Asia/Calcutta` for `Asia/Kolkata`.
public struct TimeZoneList: Codable, Hashable, Sendable {
    public var timeZones: [String]

    public init(timeZones: [String]) { self.timeZones = timeZones }
}
