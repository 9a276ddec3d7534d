/// The answer of `POST /v1/users`: the only time that this token is shown.
public struct SignedUp: Codable, Hashable, Sendable {
    public var user: User
    public var token: String

    public init(user: User, token: String) {
        self.user = user
        self.token = token
    }
}
