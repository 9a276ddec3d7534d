extension Routes {
    public static let endpoints = "/v1/endpoints"
    public static let pushKey = "/v1/push-key"
    public static func endpoint(_ id: Identifier) -> String { "\(endpoints)/\(id)" }
    public static func endpointTest(_ id: Identifier) -> String { "\(endpoints)/\(id)/test" }
    public static func endpointReplay(_ id: Identifier) -> String { "\(endpoints)/\(id)/replay" }
    public static func endpointSecret(_ id: Identifier) -> String { "\(endpoints)/\(id)/secret" }
}

/// A destination of one user's notifications, in addition to the list and the stream. Members that do not
/// apply are left out.
public struct Endpoint: Codable, Hashable, Sendable {
    public var id: Identifier
    public var kind: Extensible<EndpointKind>
    /// The URL of a webhook, or of a browser's push service.
    public var url: String?
    public var deviceToken: String?
    public var environment: Extensible<PushEnvironment>?
    /// The types of the notifications that are sent there, by name; left out for all.
    public var types: [String]?
    public var state: Extensible<EndpointState>
    /// The reason for which the endpoint is disabled, for people.
    public var reason: Text?
    /// The code of the reason; left out if it has none.
    public var reasonCode: String?
    public var failingSince: Timestamp?
    public var createdAt: Timestamp
    /// The latest outcomes, newest first; left out in the answer that makes the endpoint.
    public var outcomes: [EndpointOutcome]?
    /// The key that signs a webhook; only in the answer that makes the endpoint.
    public var secret: String?

    public init(
        id: Identifier, kind: EndpointKind, url: String? = nil, deviceToken: String? = nil,
        environment: PushEnvironment? = nil, types: [String]? = nil, state: EndpointState = .active,
        reason: Text? = nil, failingSince: Timestamp? = nil, createdAt: Timestamp,
        outcomes: [EndpointOutcome]? = nil, secret: String? = nil
    ) {
        self.id = id
        self.kind = .known(kind)
        self.url = url
        self.deviceToken = deviceToken
        self.environment = environment.map { .known($0) }
        self.types = types
        self.state = .known(state)
        self.reason = reason
        reasonCode = reason?.code?.name
        self.failingSince = failingSince
        self.createdAt = createdAt
        self.outcomes = outcomes
        self.secret = secret
    }
}

/// The protocol of an endpoint.
public enum EndpointKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// A POST to a program, as in Standard Webhooks.
    case webhook
    /// A push to the app on one of Apple's devices.
    case apns
    /// A push to a browser (RFC 8030).
    case webpush
}

/// The state of an endpoint.
public enum EndpointState: String, CaseIterable, Codable, Hashable, Sendable {
    case active
    /// The receiver of a webhook has not echoed the challenge yet; nothing else is sent to it.
    case unverified
    /// Every attempt has failed since `failingSince`; attempts go on.
    case failing
    /// Nothing is sent to the endpoint any more, for the given reason. A replay enables a webhook again; a
    /// device or a browser is registered again.
    case disabled
}

/// The outcome of one attempt to deliver.
public struct EndpointOutcome: Codable, Hashable, Sendable {
    /// The `webhook-id` of a webhook: the same for all attempts to deliver one notification.
    public var id: String
    /// The type of the notification, or `test`.
    public var type: String
    public var at: Timestamp
    /// The kind of outcome: `delivered`, `retried`, `exhausted`, `refused`, `expired` or `gone`.
    public var outcome: String
    /// A description for people.
    public var detail: Text
    /// The code of the detail; left out if it has none, as the words of another server.
    public var detailCode: String?
    /// The duration of the attempt; left out if nothing was sent.
    public var milliseconds: Int64?

    public init(
        id: String, type: String, at: Timestamp, outcome: String, detail: Text, milliseconds: Int64?
    ) {
        self.id = id
        self.type = type
        self.at = at
        self.outcome = outcome
        self.detail = detail
        detailCode = detail.code?.name
        self.milliseconds = milliseconds
    }
}

/// The answer of `GET /v1/endpoints`, oldest first.
public struct EndpointList: Codable, Hashable, Sendable {
    public var endpoints: [Endpoint]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(endpoints: [Endpoint], nextCursor: String? = nil) {
        self.endpoints = endpoints
        self.nextCursor = nextCursor
    }
}

/// The answer of `POST /v1/endpoints/{id}/secret`: the only time that this secret is shown.
public struct EndpointSecret: Codable, Hashable, Sendable {
    public var secret: String
    /// The instant until which messages are signed with the previous secret, too.
    public var previousUntil: Timestamp

    public init(secret: String, previousUntil: Timestamp) {
        self.secret = secret
        self.previousUntil = previousUntil
    }
}

/// The answer of `POST /v1/endpoints/{id}/replay`.
public struct EndpointReplay: Codable, Hashable, Sendable {
    /// The number of failed deliveries that are made again.
    public var deliveries: Int

    public init(deliveries: Int) {
        self.deliveries = deliveries
    }
}

/// The answer of `GET /v1/push-key`.
public struct PushKey: Codable, Hashable, Sendable {
    /// The `applicationServerKey` with which browsers subscribe, in base64url.
    public var publicKey: String

    public init(publicKey: String) {
        self.publicKey = publicKey
    }
}
