extension Routes {
    public static let endpoints = "/v1/endpoints"
    public static let pushKey = "/v1/push-key"
    public static func endpoint(_ id: Identifier) -> String { "\(endpoints)/\(id)" }
    public static func endpointTest(_ id: Identifier) -> String { "\(endpoints)/\(id)/test" }
    public static func endpointReplay(_ id: Identifier) -> String { "\(endpoints)/\(id)/replay" }
    public static func endpointSecret(_ id: Identifier) -> String { "\(endpoints)/\(id)/secret" }
}

/// A destination of a user's notifications, in addition to the list and the stream. Members that do not apply
/// are nil.
public struct Endpoint: Codable, Hashable, Sendable {
    public var id: Identifier
    public var kind: Extensible<EndpointKind>
    /// The URL of a webhook, or of a browser's push service.
    public var url: String?
    /// The token of an Apple device, in hexadecimal digits.
    public var deviceToken: String?
    public var environment: Extensible<PushEnvironment>?
    /// The names of the types that are sent to it; nil for all.
    public var types: [String]?
    public var state: Extensible<EndpointState>
    /// The reason of a state other than `active`, for people.
    public var reason: Text?
    /// The code of the reason, the same in every language; nil if it has none.
    public var reasonCode: String?
    /// The time since which every attempt has failed; nil if the latest succeeded.
    public var failingSince: Timestamp?
    public var createdAt: Timestamp
    /// The latest `Limits.outcomes` outcomes, newest first; nil in the answer that makes the endpoint.
    public var outcomes: [EndpointOutcome]?
    /// The key that signs a webhook, `whsec_…`; only in the answer that makes the endpoint.
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
    /// A POST to a program, by the specification Standard Webhooks.
    case webhook
    /// A push to an app on an Apple device.
    case apns
    /// A push to a browser (RFC 8030).
    case webpush
}

/// The state of an endpoint.
public enum EndpointState: String, CaseIterable, Codable, Hashable, Sendable {
    case active
    /// The receiver of a webhook has not echoed its challenge. The server sends it nothing else.
    case unverified
    /// Every attempt since `failingSince` has failed. The server continues to try.
    case failing
    /// The server sends nothing, because of `reason`. A replay enables a webhook again; a device or a browser
    /// has to be registered again.
    case disabled
}

/// The outcome of one attempt at a delivery.
public struct EndpointOutcome: Codable, Hashable, Sendable {
    /// The id of the delivery, the same for all its attempts: the `webhook-id` of a webhook.
    public var id: String
    /// The type of the notification, or `test`.
    public var type: String
    public var at: Timestamp
    /// The kind of outcome: `delivered`, `retried`, `exhausted`, `refused`, `expired` or `gone`.
    public var outcome: String
    /// A description for people.
    public var detail: Text
    /// The code of the detail, the same in every language; nil if it has none.
    public var detailCode: String?
    /// The duration of the attempt; nil if nothing was sent.
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

/// The answer of `POST /v1/endpoints/{id}/secret`. No other answer has this secret.
public struct EndpointSecret: Codable, Hashable, Sendable {
    /// The new key that signs a webhook, `whsec_…`.
    public var secret: String
    /// The time until which messages are also signed with the previous secret.
    public var previousUntil: Timestamp

    public init(secret: String, previousUntil: Timestamp) {
        self.secret = secret
        self.previousUntil = previousUntil
    }
}

/// The answer of `POST /v1/endpoints/{id}/replay`.
public struct EndpointReplay: Codable, Hashable, Sendable {
    /// The number of failed deliveries that are retried.
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
