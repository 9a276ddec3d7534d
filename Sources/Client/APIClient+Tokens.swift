public import Contract
import HTTP1

extension APIClient {
    /// Makes another token for the account, which is in this answer only. Without `expiresAt` it does not
    /// expire. Throws a problem: `limitReached` beyond `Limits.tokens`.
    public func makeToken(_ token: NewToken) async throws(ClientError) -> IssuedToken {
        try await submit(IssuedToken.self, .post, Routes.tokens, token)
    }

    /// Returns the valid tokens of the account, oldest first.
    public func tokens() async throws(ClientError) -> [AccountToken] {
        try await fetch(AccountTokenList.self, Routes.tokens).tokens
    }

    /// Ends a token, with every ticket, socket and stream under it. It may be the client's own.
    public func revokeToken(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.accountToken(id))
    }

    /// Returns the sessions that browsers have in the account, oldest first.
    public func sessions() async throws(ClientError) -> [AccountSession] {
        try await fetch(AccountSessionList.self, Routes.sessions).sessions
    }

    /// Ends the session of a browser, with every ticket, socket and stream under it.
    public func endSession(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.accountSession(id))
    }

    /// Makes a recovery code for the account, which is in this answer only. It takes the place of the one
    /// that the account had.
    public func makeRecoveryCode() async throws(ClientError) -> String {
        try await send(.post, Routes.recoveryCode).decode(IssuedRecoveryCode.self).recoveryCode
    }

    /// Comes back into the account of a recovery code: every token of it ends, and the answer has a new one
    /// and the next code. A lost answer does no harm: the code works again for an hour, until the new token
    /// is used. Store both before you use the token.
    public func recover(with code: String) async throws(ClientError) -> Recovered {
        try await submit(Recovered.self, .post, Routes.recover, Recovery(recoveryCode: code))
    }
}
