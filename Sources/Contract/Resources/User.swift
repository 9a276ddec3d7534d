extension Routes {
    public static let users = "/v1/users"
    public static let me = "/v1/me"
    public static let token = "/v1/me/token"
    public static let export = "/v1/me/export"
}

/// An account, as its owner sees it.
public struct User: Codable, Hashable, Sendable {
    public var id: Identifier
    public var name: String
    /// The IANA name of the user's time zone.
    public var timeZone: String
    /// The tag of the language of pushes, and of answers to requests without `Accept-Language`: the raw value
    /// of a `Language`, or a language that a later server adds. Nil if none was chosen.
    public var language: String?
    public var createdAt: Timestamp

    public init(
        id: Identifier, name: String, timeZone: String, language: String? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.language = language
        self.createdAt = createdAt
    }
}

/// The answer of `GET` and `PATCH /v1/me`.
public struct UserAnswer: Codable, Hashable, Sendable {
    public var user: User

    public init(user: User) {
        self.user = user
    }
}

/// The answer of `POST /v1/users`. No other answer has these secrets.
public struct SignedUp: Codable, Hashable, Sendable {
    public var user: User
    /// The secret of the main token, `lsk_…`.
    public var token: String
    /// The code that replaces lost tokens; nil from a server of an earlier version.
    public var recoveryCode: String?

    public init(user: User, token: String, recoveryCode: String? = nil) {
        self.user = user
        self.token = token
        self.recoveryCode = recoveryCode
    }
}

/// The answer of `POST /v1/me/token`.
public struct Token: Codable, Hashable, Sendable {
    /// The secret of the new main token, `lsk_…`.
    public var token: String

    public init(token: String) {
        self.token = token
    }
}

/// The body of `POST /v1/users`.
public struct NewUser: RequestBody {
    /// The name that other members see: 1 to 64 characters.
    public var name: String
    /// The IANA name of a time zone; nil means `UTC`.
    public var timeZone: String?
    /// The language; nil for none.
    public var language: Language?
    /// The code of an operator, if `PeopleNow.signUps` lists `code`.
    public var code: String?
    /// The code of an invite, if `PeopleNow.signUps` lists `invite`. The sign-up does not use it up.
    public var invite: String?

    public static let members =
        UserPatch.members + [.text("code", .accessCode), .text("invite", .inviteCode)]

    public init(
        name: String, timeZone: String? = nil, language: Language? = nil, code: String? = nil,
        invite: String? = nil
    ) {
        self.name = name
        self.timeZone = timeZone
        self.language = language
        self.code = code
        self.invite = invite
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        name = reader.text("name", .name)
        timeZone = reader.optionalText("timeZone", .timeZone)
        language = reader.change("language", of: Language.self).applied(to: nil)
        code = reader.optionalText("code", .accessCode)
        invite = reader.optionalText("invite", .inviteCode)
    }
}

/// The body of `PATCH /v1/me`. A nil member keeps the old value.
public struct UserPatch: RequestBody {
    public var name: String?
    public var timeZone: String?
    public var language: Change<Language>

    public static let members: [BodyMember] = [
        .text("name", .name), .text("timeZone", .timeZone), .word("language", BodyMember.name),
    ]

    public init(name: String? = nil, timeZone: String? = nil, language: Change<Language> = .keep) {
        self.name = name
        self.timeZone = timeZone
        self.language = language
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        name = reader.replacement("name", .name)
        timeZone = reader.replacement("timeZone", .timeZone)
        language = reader.change("language", of: Language.self)
    }
}
