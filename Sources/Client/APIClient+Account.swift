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

    /// A new token; the one in use stops working at once.
    public func rotateToken() async throws(ClientError) -> String {
        try await send(.post, Routes.token).decode(Token.self).token
    }
}
