/// The answer of `GET /v1/push-key`.
public struct PushKey: Codable, Hashable, Sendable {
    /// What browsers subscribe with: `applicationServerKey`, in base64url.
    public var publicKey: String

    public init(publicKey: String) {
        self.publicKey = publicKey
    }
}
