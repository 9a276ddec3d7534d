package import Contract
package import Postgres

/// Writes accounts and their tokens. Every statement that writes both locks the account before its token.
package enum AccountWriter {
    /// A trigger copies the token of `users` into `tokens`, and keeps the prefix that it finds there.
    private static let insert = """
        WITH token AS (
            INSERT INTO tokens (user_id, number, hash, created_at, prefix) VALUES ($1, 1, $4, now(), $6)
        ), recovery AS (
            INSERT INTO recovery_codes (user_id, hash, created_at) VALUES ($1, $7, now())
        )
        INSERT INTO users (id, name, time_zone, token_hash, created_at, language)
        VALUES ($1, $2, $3, $4, $5, $8)
        """

    private static let nameKey = "UPDATE tokens SET made_under = $2 WHERE user_id = $1 AND number = $3"

    private static let lock = "SELECT name, time_zone, language FROM accounts WHERE id = $1 FOR NO KEY UPDATE"

    private static let update = """
        UPDATE accounts SET name = coalesce($2, name), time_zone = coalesce($3, time_zone),
            language = CASE WHEN $5 THEN $4 ELSE language END
        WHERE id = $1
        RETURNING name, time_zone, language
        """

    /// The next token of an account always has the next number, so there is one pending token at most.
    private static let offering = """
        INSERT INTO tokens (user_id, number, hash, created_at, pending_until, made_under, prefix)
        SELECT id, token_version + 1, $2, now(), now() + interval '24 hours', $4::bytea, $5 FROM accounts
        WHERE id = $1 AND token_version = $3
        FOR KEY SHARE
        ON CONFLICT (user_id, number) DO UPDATE
        SET hash = excluded.hash, created_at = excluded.created_at, pending_until = excluded.pending_until,
            made_under = excluded.made_under, prefix = excluded.prefix
        WHERE tokens.pending_until IS NOT NULL
        """

    /// A token that was replaced meanwhile is found no more once the lock is held. A trigger copies the token
    /// of `users` into `tokens`.
    private static let promotion = """
        WITH account AS MATERIALIZED (
            SELECT accounts.id FROM tokens JOIN accounts ON accounts.id = tokens.user_id
            WHERE tokens.hash = $1
            FOR UPDATE OF accounts
        ), pending AS MATERIALIZED (
            SELECT tokens.user_id, tokens.number, tokens.hash
            FROM account JOIN tokens ON tokens.user_id = account.id
            WHERE tokens.hash = $1 AND tokens.pending_until > now()
            FOR UPDATE OF tokens
        )
        UPDATE accounts SET token_hash = pending.hash, token_version = pending.number
        FROM pending
        WHERE accounts.id = pending.user_id
        """

    /// Erases the salt of the token, so that it cannot be derived any more.
    private static let forgetting = """
        WITH fresh AS MATERIALIZED (
            SELECT user_id, number, made_under FROM tokens
            WHERE hash = $1 AND made_under IS NOT NULL
            FOR UPDATE
        ), erased AS (
            UPDATE idempotency_keys SET salt = NULL FROM fresh WHERE name = fresh.made_under
        )
        UPDATE tokens SET made_under = NULL FROM fresh
        WHERE tokens.user_id = fresh.user_id AND tokens.number = fresh.number
        """

    /// Stores a new account with its main token and its recovery code, and the idempotency key under which
    /// they were made.
    package static func create(
        _ user: User, _ token: APIToken, _ recovery: AccessCode, under key: IdempotencyKey?,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(
            insert,
            [
                user.id, user.name, user.timeZone, token.hash, user.createdAt, token.beginning, recovery.hash,
                user.language,
            ])
        try await note(key, for: user.id, 1, on: connection)
    }

    /// Notes the idempotency key under which a token was made.
    static func note(
        _ key: IdempotencyKey?, for user: Identifier, _ number: Int32, on connection: PostgresConnection
    ) async throws(PostgresError) {
        if let key { try await connection.query(nameKey, [user, key.name, number]) }
    }

    /// Makes sure that a token that was made under an idempotency key is not shown again, now that it is
    /// used.
    package static func forgetSalt(
        of token: APIToken, in pool: PostgresPool
    ) async throws(PostgresError) {
        try await pool.query(forgetting, [token.hash], retrying: true)
    }

    /// Returns the account as it is afterwards; nil where it was deleted. `check` may refuse the change for
    /// what the account is at that moment.
    package static func change(
        _ user: User, _ patch: UserPatch, on connection: PostgresConnection,
        check: (User) throws -> Void
    ) async throws -> User? {
        guard let current = try await connection.query(lock, [user.id]).first else { return nil }
        try check(try account(user, current))
        let row = try await connection.query(
            update,
            [
                user.id, patch.name, patch.timeZone, patch.language.applied(to: nil)?.rawValue,
                patch.language != .keep,
            ]
        ).first
        return try row.map { try account(user, $0) }
    }

    private static func account(_ user: User, _ row: PostgresRow) throws(PostgresError) -> User {
        User(
            id: user.id, name: try row.decode(0), timeZone: try row.decode(1), language: try row.decode(2),
            createdAt: user.createdAt)
    }

    /// Makes the token the account's pending one, replacing another, with the idempotency key under which it
    /// was made. Throws an `APIError` if the token under which the user signed in has been replaced, or is
    /// not the main one.
    package static func offer(
        _ token: APIToken, to user: SignedInUser, under key: IdempotencyKey?,
        on connection: PostgresConnection
    ) async throws {
        let count = try await connection.execute(
            offering, [user.id, token.hash, user.tokenVersion, key?.name, token.beginning])
        if count == 1 { return }
        if user.tokenVersion < 0 {
            throw APIError(
                .conflict,
                "Only the account's main token is replaced here. Make another one by POST "
                    + "\(Routes.tokens), then revoke this one.")
        }
        throw APIError(.conflict, "The token was replaced at the same time. Sign in with that one.")
    }

    /// Makes a pending token the account's main one. Returns false where it is not pending any more.
    package static func promote(
        _ token: APIToken, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await connection.execute(promotion, [token.hash]) == 1
    }
}
