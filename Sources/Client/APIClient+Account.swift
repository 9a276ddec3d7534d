public import Contract
import HTTP1

extension APIClient {
    /// Makes an account. No other answer has its token and its recovery code.
    public func signUp(_ user: NewUser) async throws(ClientError) -> SignedUp {
        try await submit(SignedUp.self, .post, Routes.users, user)
    }

    /// Signs in to an account that an operator has made. The code works once.
    public func signIn(with code: String) async throws(ClientError) -> Recovered {
        try await submit(Recovered.self, .post, Routes.signIn, FirstSignIn(code: code))
    }

    /// Returns the account of the token.
    public func me() async throws(ClientError) -> User {
        try await fetch(UserAnswer.self, Routes.me).user
    }

    /// Returns the account with its entity tag, for `changeMe`.
    public func taggedMe() async throws(ClientError) -> Tagged<User> {
        try await fetchTagged(UserAnswer.self, Routes.me) { $0.user }
    }

    /// Changes the account. With a tag it changes nothing and throws the problem `preconditionFailed` if the
    /// account has changed since.
    public func changeMe(
        _ patch: UserPatch, ifMatch tag: String? = nil
    ) async throws(ClientError) -> User {
        try await submit(UserAnswer.self, .patch, Routes.me, patch, ifMatch: tag).user
    }

    /// Deletes the account and all data that names it.
    public func deleteMe() async throws(ClientError) {
        _ = try await send(.delete, Routes.me)
    }

    /// Returns a new main token. The current one stays valid until the new one is used, so a lost answer does
    /// no harm: another call replaces the new token. An unused new token expires after 24 hours. Store it
    /// beside the current one before you use it, as `renewToken` does.
    public func rotateToken() async throws(ClientError) -> String {
        try await send(.post, Routes.token).decode(Token.self).token
    }

    /// Replaces the main token without a risk of losing the account. `store` has to store the new token
    /// permanently, beside the current one. Then the new token is used, which ends the old one. Returns the
    /// client with the new token. If it throws after `store` has returned, one of the two tokens is valid:
    /// try the new one first.
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
