/// The answer of `POST /v1/me/token`.
public struct Token: Codable, Hashable, Sendable {
    public var token: String

    public init(token: String) {
        self.token = token
    }
}
