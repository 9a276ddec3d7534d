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
        INSERT INTO users (id, name, time_zone, token_hash, created_at) VALUES ($1, $2, $3, $4, $5)
        """

    private static let update = """
        UPDATE users SET name = coalesce($2, name), time_zone = coalesce($3, time_zone)
        WHERE id = $1
        RETURNING name, time_zone
        """

    /// The next token of an account always has the next number, so there is one pending token at most.
    private static let offering = """
        INSERT INTO tokens (user_id, number, hash, created_at, pending_until, prefix)
        SELECT id, token_version + 1, $2, now(), now() + interval '24 hours', $4 FROM users
        WHERE id = $1 AND token_version = $3
        FOR KEY SHARE
        ON CONFLICT (user_id, number) DO UPDATE
        SET hash = excluded.hash, created_at = excluded.created_at, pending_until = excluded.pending_until,
            prefix = excluded.prefix
        WHERE tokens.pending_until IS NOT NULL
        """

    /// A token that was replaced meanwhile is found no more once the lock is held. A trigger copies the token
    /// of `users` into `tokens`.
    private static let promotion = """
        WITH account AS MATERIALIZED (
            SELECT users.id FROM tokens JOIN users ON users.id = tokens.user_id
            WHERE tokens.hash = $1
            FOR UPDATE OF users
        ), pending AS MATERIALIZED (
            SELECT tokens.user_id, tokens.number, tokens.hash
            FROM account JOIN tokens ON tokens.user_id = account.id
            WHERE tokens.hash = $1 AND tokens.pending_until > now()
            FOR UPDATE OF tokens
        )
        UPDATE users SET token_hash = pending.hash, token_version = pending.number
        FROM pending
        WHERE users.id = pending.user_id
        """

    /// Stores a new account with its main token and its recovery code.
    package static func create(
        _ user: User, _ token: APIToken, _ recovery: RecoveryCode, in pool: PostgresPool
    ) async throws(PostgresError) {
        try await pool.query(
            insert,
            [
                user.id, user.name, user.timeZone, token.hash, user.createdAt, token.beginning, recovery.hash,
            ])
    }

    /// Returns the account as it is afterwards; nil where it was deleted.
    package static func change(
        _ user: User, _ patch: UserPatch, on connection: PostgresConnection
    ) async throws(PostgresError) -> User? {
        let row = try await connection.query(update, [user.id, patch.name, patch.timeZone]).first
        guard let row else { return nil }
        let (name, timeZone) = try row.decode(String.self, String.self)
        return User(id: user.id, name: name, timeZone: timeZone, createdAt: user.createdAt)
    }

    /// Makes the token the account's pending one, in place of another. Returns false where the token under
    /// which the user signed in has been replaced, or is not the main one.
    package static func offer(
        _ token: APIToken, to user: SignedInUser, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await connection.execute(offering, [user.id, token.hash, user.tokenVersion, token.beginning]) == 1
    }

    /// Makes a pending token the account's main one. Returns false where it is not pending any more.
    package static func promote(
        _ token: APIToken, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await connection.execute(promotion, [token.hash]) == 1
    }
}
