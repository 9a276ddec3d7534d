public import Contract
import HTTP1

extension APIClient {
    /// Makes an account. Its token and its recovery code are in this answer only.
    public func signUp(_ user: NewUser) async throws(ClientError) -> SignedUp {
        try await submit(SignedUp.self, .post, Routes.users, user)
    }

    /// Signs in for the first time to an account that an operator has made. The code works once.
    public func signIn(with code: String) async throws(ClientError) -> Recovered {
        try await submit(Recovered.self, .post, Routes.signIn, FirstSignIn(code: code))
    }

    /// Returns the account of the token.
    public func me() async throws(ClientError) -> User {
        try await fetch(UserAnswer.self, Routes.me).user
    }

    /// Returns the account with the tag of its state, for `changeMe`.
    public func taggedMe() async throws(ClientError) -> Tagged<User> {
        try await fetchTagged(UserAnswer.self, Routes.me) { $0.user }
    }

    /// Changes the account. With the tag of a state it throws the problem `preconditionFailed`, and changes
    /// nothing, where that is not the current one any more.
    public func changeMe(
        _ patch: UserPatch, ifMatch tag: String? = nil
    ) async throws(ClientError) -> User {
        try await submit(UserAnswer.self, .patch, Routes.me, patch, ifMatch: tag).user
    }

    /// Deletes the account and all data that names it.
    public func deleteMe() async throws(ClientError) {
        _ = try await send(.delete, Routes.me)
    }

    /// Returns a new token. The current one stays valid until the new one is first used, so that a lost
    /// answer does no harm: another call replaces the new token. A new token that is not used for 24 hours
    /// expires. Store it before you use it, and keep the current one until then, as `renewToken` does.
    public func rotateToken() async throws(ClientError) -> String {
        try await send(.post, Routes.token).decode(Token.self).token
    }

    /// Replaces the token without a moment in which the account could be lost. `store` must store the new
    /// token permanently, beside the current one, before it returns; then the new token is used, which ends
    /// the old one. Returns the client with the new token. If this throws after `store` has returned, either
    /// token may be the valid one: try the new one first.
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
