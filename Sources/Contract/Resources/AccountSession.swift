extension Routes {
    public static let session = "/v1/me/session"
    public static let sessions = "/v1/me/sessions"
    public static func accountSession(_ id: Identifier) -> String { "\(sessions)/\(id)" }
}

/// A session of a browser with an account.
public struct AccountSession: Codable, Hashable, Sendable {
    public var id: Identifier
    public var createdAt: Timestamp
    /// The last use, to the minute; nil if there was none.
    public var lastUsedAt: Timestamp?
    /// The end of its validity, which a use postpones.
    public var expiresAt: Timestamp
    /// Whether the request belongs to this session.
    public var isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
        case id, createdAt, lastUsedAt, expiresAt
        case isCurrent = "current"
    }

    public init(
        id: Identifier, createdAt: Timestamp, lastUsedAt: Timestamp?, expiresAt: Timestamp, isCurrent: Bool
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.isCurrent = isCurrent
    }
}

/// The answer of `POST /v1/me/session`; the cookie is in its header.
public struct AccountSessionAnswer: Codable, Hashable, Sendable {
    public var session: AccountSession

    public init(session: AccountSession) {
        self.session = session
    }
}

/// The answer of `GET /v1/me/sessions`, oldest first.
public struct AccountSessionList: Codable, Hashable, Sendable {
    public var sessions: [AccountSession]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(sessions: [AccountSession], nextCursor: String? = nil) {
        self.sessions = sessions
        self.nextCursor = nextCursor
    }
}
