/// The problems that the service answers with (RFC 9457). The raw value is the last part of `type`.
public enum ProblemName: String, CaseIterable, Codable, Hashable, Sendable {
    /// The request breaks the format of HTTP, JSON or a query parameter (400).
    case unreadable
    /// The token is missing, unknown, expired or revoked (401).
    case unauthenticated
    /// A request with a session cookie comes from a page of another origin (403).
    case crossSite = "cross-site"
    /// An operator has suspended the account; `Problem.reason` and `until` explain it (403).
    case suspended
    /// The account was recovered with a code of an operator; the restriction ends at `Problem.until` (403).
    case recentlyRecovered = "recently-recovered"
    /// The setting `SIGNUPS` does not permit the sign-up, or not with that code or invite (403).
    case signUpsClosed = "sign-ups-closed"
    /// The role of the operator does not permit the call (403).
    case forbidden
    /// The path does not exist, or the caller has no such resource (404).
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case requestTimeout = "request-timeout"
    /// The state of the resource does not permit the change (409).
    case conflict
    /// The user has a live registration for the slot (409).
    case alreadyRegistered = "already-registered"
    /// The session overlaps another session of the same user (409).
    case overlaps
    /// Registration for the slot has closed (409).
    case tooLate = "too-late"
    /// The invite was used, is the caller's own, or leads to a cancelled or full registration (409).
    case inviteUnusable = "invite-unusable"
    /// The user has missed too many sessions to hold more registrations at once (409).
    case attendance
    /// The database has no rules for the time zone of the account or the routine (409).
    case timeZoneUnknown = "time-zone-unknown"
    /// A list has as many entries as `Limits` permits (409).
    case limitReached = "limit-reached"
    /// A request with the same idempotency key has not been answered yet (409).
    case keyUnderWay = "idempotency-key-under-way"
    /// A request with the same idempotency key took effect, but its answer was not kept (409).
    case answerGone = "answer-gone"
    /// The room has closed (410).
    case gone
    /// The resource has changed since the state that `If-Match` names (412).
    case preconditionFailed = "precondition-failed"
    case contentTooLarge = "content-too-large"
    case uriTooLong = "uri-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    /// The server supports `Expect: 100-continue` only (417).
    case expectationFailed = "expectation-failed"
    /// The operators' listener does not answer for the host of the request (421).
    case misdirected
    /// Members of the body are wrong; `Problem.errors` lists them (422).
    case invalid
    /// The idempotency key belongs to another request (422).
    case keyReused = "idempotency-key-reused"
    /// The path takes WebSocket connections only (426, RFC 6455).
    case upgradeRequired = "upgrade-required"
    /// A limit of tests of endpoints, of new webhook secrets, or of messages in a room is reached (429).
    case tooManyRequests = "too-many-requests"
    /// A rate limit is reached, which `Problem.violatedPolicies` names (429).
    case quotaExceeded = "quota-exceeded"
    /// The user has as many connections to the room as are permitted (429).
    case tooManyDevices = "too-many-devices"
    /// One address has as many connections as are permitted (429).
    case tooManyConnections = "too-many-connections"
    /// The user has as many open registrations as are permitted (429).
    case tooManyRegistrations = "too-many-registrations"
    /// The user has as many event streams as are permitted (429).
    case tooManyStreams = "too-many-streams"
    /// An export of the user is running, or the server has too many of other users (429).
    case tooManyExports = "too-many-exports"
    case headerTooLarge = "header-too-large"
    /// The server has a fault, which it logs with the id in `Problem.instance` (500).
    case internalError = "internal"
    case notImplemented = "not-implemented"
    /// The database is not reachable, or the server is overloaded (503).
    case unavailable
    /// The server is shutting down (503).
    case draining
    case httpVersion = "http-version"

    /// Chooses the usual problem for the status that a parser or a router has chosen.
    public init(status: Int) {
        self = Self.allCases.first { $0.status == status } ?? (status < 500 ? .unreadable : .internalError)
    }

    /// The HTTP status code.
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
