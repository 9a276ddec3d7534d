extension Routes {
    public static let tokens = "/v1/me/tokens"
    public static let recoveryCode = "/v1/me/recovery-code"
    public static let recover = "/v1/recover"
    public static let signIn = "/v1/sign-in"
    public static func accountToken(_ id: Identifier) -> String { "\(tokens)/\(id)" }
}

/// A token of an account, without its secret.
public struct AccountToken: Codable, Hashable, Sendable {
    public var id: Identifier
    /// The name that its owner gave it; nil for the main token.
    public var name: String?
    public var createdAt: Timestamp
    /// The last use, to the minute; nil if there was none.
    public var lastUsedAt: Timestamp?
    /// The end of its validity; nil if it does not expire.
    public var expiresAt: Timestamp?
    /// The first characters of the secret; nil for a token of a release that did not store them.
    public var prefix: String?
    /// Whether it is the token of the sign-up, or the token that replaced it by `POST /v1/me/token`.
    public var isMain: Bool
    /// Whether the request was sent with this token.
    public var isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
        case id, name, createdAt, lastUsedAt, expiresAt, prefix
        case isMain = "main"
        case isCurrent = "current"
    }

    public init(
        id: Identifier, name: String?, createdAt: Timestamp, lastUsedAt: Timestamp? = nil,
        expiresAt: Timestamp? = nil, prefix: String?, isMain: Bool, isCurrent: Bool
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.prefix = prefix
        self.isMain = isMain
        self.isCurrent = isCurrent
    }
}

/// The answer of `GET /v1/me/tokens`, oldest first.
public struct AccountTokenList: Codable, Hashable, Sendable {
    public var tokens: [AccountToken]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(tokens: [AccountToken], nextCursor: String? = nil) {
        self.tokens = tokens
        self.nextCursor = nextCursor
    }
}

/// The answer of `POST /v1/me/tokens`. No other answer has this secret.
public struct IssuedToken: Codable, Hashable, Sendable {
    /// The secret, `lsk_…`.
    public var token: String
    /// The token without its secret, as lists have it.
    public var details: AccountToken

    public init(token: String, details: AccountToken) {
        self.token = token
        self.details = details
    }
}

/// The body of `POST /v1/me/tokens`.
public struct NewToken: RequestBody {
    /// A name for the owner: 1 to 64 characters.
    public var name: String
    /// The end of its validity; nil for a token that does not expire.
    public var expiresAt: Timestamp?

    public static let members: [BodyMember] = [
        .text("name", .name), .word("expiresAt", BodyMember.instant),
    ]

    public init(name: String, expiresAt: Timestamp? = nil) {
        self.name = name
        self.expiresAt = expiresAt
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        name = reader.text("name", .name)
        expiresAt = reader.optionalTime("expiresAt")
    }
}

/// The answer of `POST /v1/me/recovery-code`. No other answer has this code.
public struct IssuedRecoveryCode: Codable, Hashable, Sendable {
    public var recoveryCode: String

    public init(recoveryCode: String) {
        self.recoveryCode = recoveryCode
    }
}

/// The body of `POST /v1/recover`.
public struct Recovery: RequestBody {
    /// The code; case, spaces and hyphens do not matter.
    public var recoveryCode: String

    public static let members: [BodyMember] = [.text("recoveryCode", .recoveryCode)]

    public init(recoveryCode: String) {
        self.recoveryCode = recoveryCode
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        recoveryCode = reader.text("recoveryCode", .recoveryCode)
    }
}

/// The body of `POST /v1/sign-in`: the code that an operator has issued with an account.
public struct FirstSignIn: RequestBody {
    /// The code; case, spaces and hyphens do not matter.
    public var code: String

    public static let members: [BodyMember] = [.text("code", .accessCode)]

    public init(code: String) {
        self.code = code
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        code = reader.text("code", .accessCode)
    }
}

/// The answer of `POST /v1/recover` and `POST /v1/sign-in`. No other answer has these secrets.
public struct Recovered: Codable, Hashable, Sendable {
    /// The new token, which has replaced all tokens of the account.
    public var token: String
    /// The next recovery code, which replaces the used one.
    public var recoveryCode: String

    public init(token: String, recoveryCode: String) {
        self.token = token
        self.recoveryCode = recoveryCode
    }
}
