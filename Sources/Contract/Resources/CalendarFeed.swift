extension Routes {
    public static let calendars = "/v1/me/calendars"
    /// The folder of the secret URLs.
    public static let calendarFiles = "/calendars"
    public static func calendar(_ id: Identifier) -> String { "\(calendars)/\(id)" }
    /// Returns the secret URL; `publicURL` is the `http` or `https` URL of the service.
    public static func calendarFile(publicURL: String, secret: String) -> String {
        url(publicURL, "\(calendarFiles)/\(secret).ics")
    }
}

/// A secret URL at which calendar programs read the registrations of an account.
public struct CalendarFeed: Codable, Hashable, Sendable {
    public var id: Identifier
    public var createdAt: Timestamp
    /// The latest reading by a program, to the hour; nil if there was none.
    public var lastReadAt: Timestamp?
    /// The URL; only in the answer that makes the calendar.
    public var url: String?
    /// The same URL with the scheme `webcal`, which opens a calendar program; only in that answer.
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
