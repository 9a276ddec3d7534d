/// A destination of one user's notifications, besides the list and the stream. Members that do not apply are
/// left out.
public struct Endpoint: Codable, Hashable, Sendable {
    public var id: Identifier
    public var kind: EndpointKind
    /// The URL of a webhook, or of a browser's push service.
    public var url: String?
    public var deviceToken: String?
    public var environment: PushEnvironment?
    /// The types of the notifications that are sent there, by name; left out for all.
    public var types: [String]?
    public var state: EndpointState
    /// The reason for which the endpoint is disabled.
    public var reason: String?
    public var failingSince: Timestamp?
    public var createdAt: Timestamp
    /// The latest outcomes, newest first; left out in the answer that makes the endpoint.
    public var outcomes: [EndpointOutcome]?
    /// The key that signs a webhook; only in the answer that makes the endpoint.
    public var secret: String?

    public init(
        id: Identifier, kind: EndpointKind, url: String? = nil, deviceToken: String? = nil,
        environment: PushEnvironment? = nil, types: [String]? = nil, state: EndpointState = .active,
        reason: String? = nil, failingSince: Timestamp? = nil, createdAt: Timestamp,
        outcomes: [EndpointOutcome]? = nil, secret: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.url = url
        self.deviceToken = deviceToken
        self.environment = environment
        self.types = types
        self.state = state
        self.reason = reason
        self.failingSince = failingSince
        self.createdAt = createdAt
        self.outcomes = outcomes
        self.secret = secret
    }
}
