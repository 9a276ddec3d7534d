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
            signedIn(takesBody: false) { user, _ in
                let token = APIToken.make()
                try await application.locks.with(.user(user.id)) { database in
                    try await offer(token, to: user, in: database)
                }
                return try Answer.json(Token(token: token.text), status: 201)
            })
    }

    /// Makes it the user's pending token. One that was pending before is not valid any more.
    private func offer(_ token: APIToken, to user: SignedInUser, in database: PostgresPool) async throws {
        let offered = try await database.transaction(attempts: 3) { connection in
            try await AccountWriter.offer(token, to: user, on: connection)
        }
        guard offered else {
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
