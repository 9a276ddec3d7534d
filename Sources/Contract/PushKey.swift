/// The answer of `GET /v1/push-key`.
public struct PushKey: Codable, Hashable, Sendable {
    /// The `applicationServerKey` with which browsers subscribe, in base64url.
    public var publicKey: String

    public init(publicKey: String) {
        self.publicKey = publicKey
    }
}
