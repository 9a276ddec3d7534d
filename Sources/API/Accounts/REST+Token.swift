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

    /// Stores the pending token of an account. It has the next number, so that there is at most one. The
    /// account is locked before its token, as in `SignIn`.
    private static let offer = """
        INSERT INTO tokens (user_id, number, hash, created_at, pending_until)
        SELECT id, token_version + 1, $2, now(), now() + interval '24 hours' FROM users
        WHERE id = $1 AND token_version = $3
        FOR KEY SHARE
        ON CONFLICT (user_id, number) DO UPDATE
        SET hash = excluded.hash, created_at = excluded.created_at, pending_until = excluded.pending_until
        WHERE tokens.pending_until IS NOT NULL
        """

    /// Makes the token the user's pending one. A previous pending token is no longer valid.
    private func offer(_ token: APIToken, to user: SignedInUser, in database: PostgresPool) async throws {
        let offered = try await database.transaction(attempts: 3) { connection in
            try await connection.execute(Self.offer, [user.id, token.hash, user.tokenVersion])
        }
        guard offered == 1 else {
            throw APIError(.conflict, "The token was replaced at the same time. Sign in with that one.")
        }
    }
}
