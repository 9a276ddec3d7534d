import Client
import Contract
import Glibc

/// Replaces the stored token. From before the first use of the new token until the old one is known to have
/// ended, the file holds both; if a process ends in between, the next command finds out which of them is
/// valid.
struct TokenRenewal: Sendable {
    let invocation: Invocation
    let tokens: TokenStore

    /// Replaces the token, and returns a client with the new one.
    func begin() async throws -> APIClient {
        let lock = try await tokens.lock()
        defer { _ = close(lock) }
        let old = try await settle()
        var isStored = false
        do {
            let renewed = try await old.renewToken { new in
                try tokens.write(StoredToken(old.token ?? "", for: invocation.server, successor: new))
                isStored = true
            }
            try tokens.write(StoredToken(renewed.token ?? "", for: invocation.server))
            return renewed
        } catch {
            if isStored {
                invocation.console.warn(
                    "The old token and the new one are both in \(tokens.path). The next command finds out "
                        + "which of them is valid, and keeps that one.")
            }
            throw error
        }
    }

    /// Completes a renewal that another process has begun, or records the server that an older file does not
    /// name. Returns a client with the valid token.
    func finish() async throws -> APIClient {
        let lock = try await tokens.lock()
        defer { _ = close(lock) }
        return try await settle()
    }

    /// Leaves one token in the file, and returns a client with it. The caller holds the lock.
    private func settle() async throws -> APIClient {
        let stored = try tokens.read()
        try stored.check(for: invocation.server, usual: invocation.usualServer, from: tokens.path)
        if stored.successor == nil {
            let api = invocation.api(token: stored.token)
            // A file of an earlier version names no server. A server that knows its token is the right one.
            if stored.server == nil, (try? await api.me()) != nil {
                try? tokens.write(StoredToken(stored.token, for: invocation.server))
            }
            return api
        }
        let (valid, _) = try await Self.valid(of: stored, invocation)
        try tokens.write(StoredToken(valid, for: invocation.server))
        return invocation.api(token: valid)
    }

    /// Returns the token that the server accepts, and its user. The new one is tried first: its use ends the
    /// other.
    static func valid(
        of stored: StoredToken, _ invocation: Invocation
    ) async throws -> (token: String, user: User) {
        if let successor = stored.successor {
            do throws(ClientError) {
                return (successor, try await invocation.api(token: successor).me())
            } catch {
                // The new token has expired, or was replaced itself.
                guard case .problem(let problem) = error, problem.status == 401 else { throw error }
            }
        }
        return (stored.token, try await invocation.api(token: stored.token).me())
    }
}
