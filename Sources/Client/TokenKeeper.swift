import Contract
import HTTP1
import Reactor

/// A source of tokens, for a program whose token can expire or be replaced while it runs.
///
/// The client calls it before the first call without a token, and when the server refuses the token with a
/// 401 or closes a room's connection with 1008. `refused` is that token, or nil. It returns the token to use,
/// or nil if it has none. One call of the source runs at a time, for all calls that wait for it. It is not
/// cancelled when these stop waiting, so no replaced token is lost. It must not use the same client.
///
/// The waiting calls throw its error: a `ClientError` unchanged, any other as the problem `unauthenticated`.
public typealias TokenSource = @Sendable (_ refused: String?) async throws -> String?

/// The token of a client and of all its copies, and the source of the next one.
package final class TokenKeeper: Sendable {
    private struct State {
        var token: String?
        /// The callers that wait for the source's answer; nil if it is not being asked. The task that asks
        /// ends with the answer, and answers them all.
        var waiters: [PendingResult<String?>]?
    }

    private let source: TokenSource?
    private let state: Lock<State>

    package init(_ token: String?, source: TokenSource? = nil) {
        self.source = source
        state = Lock(State(token: token))
    }

    /// Whether a refused token may be replaced.
    var hasSource: Bool { source != nil }

    /// The token that is known now.
    var known: String? { state.withLock(\.token) }

    /// Returns the token for a call, for which the source is asked if none is known. Throws what the source
    /// does, or `cancelled`.
    func token() async throws(ClientError) -> String? { try await answer(afterRefusalOf: nil) }

    /// Returns another token than the refused one; nil if there is none. Throws as `token` does.
    func replacement(for refused: String?) async throws(ClientError) -> String? {
        guard hasSource else { return nil }
        let token = try await answer(afterRefusalOf: refused)
        return token == refused ? nil : token
    }

    private func answer(afterRefusalOf refused: String?) async throws(ClientError) -> String? {
        guard let source else { return known }
        let result = PendingResult<String?>()
        // Another call may have got a token since the refused one was used.
        let later: String?? = state.withLock { state in
            guard state.waiters != nil || state.token == refused else { return .some(state.token) }
            if state.waiters == nil { Task { settle(await Self.ask(source, refused)) } }
            state.waiters = (state.waiters ?? []) + [result]
            return nil
        }
        if let later { return later }
        return try await result.value()
    }

    private func settle(_ answer: Result<String?, ClientError>) {
        let waiters = state.withLock { state in
            if case .success(let token?) = answer { state.token = token }
            return state.waiters.take() ?? []
        }
        for waiter in waiters { waiter.settle(answer) }
    }

    private static func ask(_ source: TokenSource, _ refused: String?) async -> Result<String?, ClientError> {
        do {
            return .success(try await source(refused))
        } catch let error as ClientError {
            return .failure(error)
        } catch is CancellationError {
            return .failure(.cancelled)
        } catch {
            return .failure(.problem(Problem(.unauthenticated, detail: "There is no token: \(error).")))
        }
    }
}

extension HTTPHeaders {
    /// Returns the fields with the token, if there is one.
    func authorized(by token: String?) -> HTTPHeaders {
        var headers = self
        if let token { headers.append("Authorization", "Bearer \(token)") }
        return headers
    }
}
