/// The answer of `GET` and `PATCH /v1/me`.
public struct UserAnswer: Codable, Hashable, Sendable {
    public var user: User

    public init(user: User) {
        self.user = user
    }
}
