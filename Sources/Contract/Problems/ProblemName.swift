/// The problems that the service answers with (RFC 9457). The raw value is the last part of `type`.
public enum ProblemName: String, CaseIterable, Codable, Hashable, Sendable {
    case unreadable
    case unauthenticated
    /// A cookie came with a request that no page of the service itself has sent.
    case crossSite = "cross-site"
    /// An operator has suspended the account; `reason` and `until` say why, and how long.
    case suspended
    /// The account was recovered lately by a code of an operator; `until` says how long that counts.
    case recentlyRecovered = "recently-recovered"
    /// The setting `SIGNUPS` does not allow the account, or not by that code or invite.
    case signUpsClosed = "sign-ups-closed"
    /// The role of an operator does not allow the call.
    case forbidden
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case requestTimeout = "request-timeout"
    case conflict
    case alreadyRegistered = "already-registered"
    /// A session overlaps another one of the same user.
    case overlaps
    case tooLate = "too-late"
    /// An invite was used already, or cannot be used for another reason.
    case inviteUnusable = "invite-unusable"
    /// A user who misses too many sessions may have fewer registrations at once.
    case attendance
    /// The database has no rules for the time zone of the account or the routine any more.
    case timeZoneUnknown = "time-zone-unknown"
    case limitReached = "limit-reached"
    /// A request with the same idempotency key is under way.
    case keyUnderWay = "idempotency-key-under-way"
    /// A request with the same idempotency key has had its effect, and its answer cannot be given again.
    case answerGone = "answer-gone"
    case gone
    /// The resource is not in the state that `If-Match` names.
    case preconditionFailed = "precondition-failed"
    case contentTooLarge = "content-too-large"
    case uriTooLong = "uri-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case expectationFailed = "expectation-failed"
    /// The operators' listener does not answer for the host of the request.
    case misdirected
    case invalid
    /// The idempotency key belongs to another request.
    case keyReused = "idempotency-key-reused"
    case upgradeRequired = "upgrade-required"
    case tooManyRequests = "too-many-requests"
    /// More requests came in a time than a limit allows (draft-ietf-httpapi-ratelimit-headers-10).
    case quotaExceeded = "quota-exceeded"
    case tooManyDevices = "too-many-devices"
    case tooManyConnections = "too-many-connections"
    /// One account has too many open registrations.
    case tooManyRegistrations = "too-many-registrations"
    /// One account has too many event streams.
    case tooManyStreams = "too-many-streams"
    /// One account has an export under way, or many accounts have.
    case tooManyExports = "too-many-exports"
    case headerTooLarge = "header-too-large"
    case internalError = "internal"
    case notImplemented = "not-implemented"
    case unavailable
    case draining
    case httpVersion = "http-version"

    /// Chooses the usual problem for a status that a parser or a router chose.
    public init(status: Int) {
        self = Self.allCases.first { $0.status == status } ?? (status < 500 ? .unreadable : .internalError)
    }

    public var status: Int {
        switch self {
        case .unreadable: 400
        case .unauthenticated: 401
        case .crossSite, .suspended, .recentlyRecovered, .signUpsClosed, .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .conflict, .alreadyRegistered, .overlaps, .tooLate, .inviteUnusable, .attendance, .limitReached,
            .keyUnderWay, .answerGone, .timeZoneUnknown:
            409
        case .gone: 410
        case .preconditionFailed: 412
        case .contentTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .expectationFailed: 417
        case .misdirected: 421
        case .invalid, .keyReused: 422
        case .upgradeRequired: 426
        case .tooManyRequests, .quotaExceeded, .tooManyDevices, .tooManyConnections, .tooManyRegistrations,
            .tooManyStreams, .tooManyExports:
            429
        case .headerTooLarge: 431
        case .internalError: 500
        case .notImplemented: 501
        case .unavailable, .draining: 503
        case .httpVersion: 505
        }
    }

    /// The path of the page that explains the problem, which is also its `type`.
    public var path: String { Routes.problem(self) }
}
