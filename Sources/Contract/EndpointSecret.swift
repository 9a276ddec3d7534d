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
