public import Contract
import HTTP1

extension APIClient {
    /// Makes an account. The token in the answer is shown this once.
    public func signUp(_ user: NewUser) async throws(ClientError) -> SignedUp {
        try await submit(SignedUp.self, .post, Routes.users, user)
    }

    public func me() async throws(ClientError) -> User {
        try await fetch(UserAnswer.self, Routes.me).user
    }

    public func changeMe(_ patch: UserPatch) async throws(ClientError) -> User {
        try await submit(UserAnswer.self, .patch, Routes.me, patch).user
    }

    /// Deletes the account and everything that names it.
    public func deleteMe() async throws(ClientError) {
        _ = try await send(.delete, Routes.me)
    }

    /// A new token. The one in use stays valid until the new one is used for the first time, so that an
    /// answer that is lost costs nothing: ask again, which replaces the new token. One that is not used for
    /// 24 hours expires. Store it before you use it, and keep the one in use until then; `renewToken` does
    /// so.
    public func rotateToken() async throws(ClientError) -> String {
        // Done twice it is the same as done once, unlike other calls of its kind.
        try await exchange(.post, Routes.token, headers: headers, body: nil, isRepeatable: true)
            .decode(Token.self).token
    }

    /// Replaces the token, and loses the account at no point on the way. `store` keeps the new token for
    /// good, beside the one in use, before it returns; then the new one is used, which ends the other.
    /// Answers the client that goes on. Where this throws after `store` has returned, either token may be the
    /// valid one: try the new one first.
    public func renewToken(
        storing store: (String) async throws -> Void
    ) async throws -> APIClient {
        let token = try await rotateToken()
        try await store(token)
        let renewed = authenticated(with: token)
        _ = try await renewed.me()
        return renewed
    }
}
