import Contract
import Database
import HTTP1
import HTTPServer
import Postgres

extension REST {
    /// Adds `POST /v1/me/token`. A lost answer does no harm, since the token in use stays valid until the new
    /// one is used.
    func addToken(to router: inout Router) {
        router.on(
            .post, Routes.token,
            keyed { user, request in
                let secret = request.secret(.token)
                return try await request.transaction(
                    in: application.locks, of: .user(user.id), showing: secret
                ) { connection in
                    let token = APIToken(derived: secret)
                    try await offer(token, to: user, under: request.key, on: connection)
                    return try Answer.json(Token(token: token.text), status: 201)
                }
            })
    }

    /// Makes it the user's pending token. One that was pending before is not valid any more.
    private func offer(
        _ token: APIToken, to user: SignedInUser, under key: IdempotencyKey?,
        on connection: PostgresConnection
    ) async throws {
        guard try await AccountWriter.offer(token, to: user, under: key, on: connection) else {
            if user.tokenVersion < 0 {
                throw APIError(
                    .conflict,
                    "Only the account's main token is replaced here. Make another one by POST "
                        + "\(Routes.tokens), then revoke this one.")
            }
            throw APIError(.conflict, "The token was replaced at the same time. Sign in with that one.")
        }
    }
}
