extension Routes {
    public static let calendars = "/v1/me/calendars"
    /// The path above the secret addresses of calendars.
    public static let calendarFiles = "/calendars"
    public static func calendar(_ id: Identifier) -> String { "\(calendars)/\(id)" }
    /// Returns the address at which calendar programs read; `publicURL` is an `http` or `https` URL.
    public static func calendarFile(publicURL: String, secret: String) -> String {
        url(publicURL, "\(calendarFiles)/\(secret).ics")
    }
}

/// A secret address from which calendar programs read the registrations of an account.
public struct CalendarFeed: Codable, Hashable, Sendable {
    public var id: Identifier
    public var createdAt: Timestamp
    /// The instant at which a program read it, to the hour; left out if none has.
    public var lastReadAt: Timestamp?
    /// The address for programs, `http` or `https`; only in the answer that makes it.
    public var url: String?
    /// The same address with the scheme `webcal`, which opens a calendar program; only in the answer that
    /// makes it.
    public var webcal: String?

    public init(
        id: Identifier, createdAt: Timestamp, lastReadAt: Timestamp? = nil, url: String? = nil,
        webcal: String? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastReadAt = lastReadAt
        self.url = url
        self.webcal = webcal
    }
}

/// The answer of `GET /v1/me/calendars`, oldest first.
public struct CalendarFeedList: Codable, Hashable, Sendable {
    public var calendars: [CalendarFeed]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(calendars: [CalendarFeed], nextCursor: String? = nil) {
        self.calendars = calendars
        self.nextCursor = nextCursor
    }
}
