public import Contract
import HTTP1

extension APIClient {
    /// Makes another token for the account. No other answer has its secret. Throws a problem: `limitReached`
    /// beyond `Limits.tokens`.
    public func makeToken(_ token: NewToken) async throws(ClientError) -> IssuedToken {
        try await submit(IssuedToken.self, .post, Routes.tokens, token)
    }

    /// Returns the valid tokens of the account, oldest first.
    public func tokens() async throws(ClientError) -> [AccountToken] {
        try await fetch(AccountTokenList.self, Routes.tokens).tokens
    }

    /// Revokes a token, with every ticket, socket and stream under it. It can be the client's own.
    public func revokeToken(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.accountToken(id))
    }

    /// Returns the sessions of browsers with the account, oldest first.
    public func sessions() async throws(ClientError) -> [AccountSession] {
        try await fetch(AccountSessionList.self, Routes.sessions).sessions
    }

    /// Ends the session of a browser, with every ticket, socket and stream under it.
    public func endSession(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.accountSession(id))
    }

    /// Makes a recovery code for the account, which replaces the previous one. No other answer has it.
    public func makeRecoveryCode() async throws(ClientError) -> String {
        try await send(.post, Routes.recoveryCode).decode(IssuedRecoveryCode.self).recoveryCode
    }

    /// Exchanges a recovery code for a new token and the next code, and ends all other tokens of the account.
    /// Store both before you use the token. A lost answer does no harm: the code works for another hour,
    /// until the new token is used.
    public func recover(with code: String) async throws(ClientError) -> Recovered {
        try await submit(Recovered.self, .post, Routes.recover, Recovery(recoveryCode: code))
    }
}
