package import Contract
package import Postgres

/// Writes recovery codes, and uses them. Every statement here runs under the lock of the account.
package enum RecoveryWriter {
    private static let replacement = """
        INSERT INTO recovery_codes (user_id, hash, created_at)
        SELECT user_id, $3, now() FROM tokens WHERE user_id = $1 AND number = $2
        \(renewal)
        """

    private static let insertion = """
        INSERT INTO recovery_codes (user_id, hash, created_at, by_operator) VALUES ($1, $2, now(), $3)
        \(renewal)
        """

    /// A new code ends the one of before, also where that was used.
    private static let renewal = """
        ON CONFLICT (user_id) DO UPDATE
        SET hash = excluded.hash, created_at = excluded.created_at, by_operator = excluded.by_operator,
            previous_hash = NULL, previous_until = NULL
        """

    /// A code that was used works again, until the token that it has brought is used: see `endPreviousCode`.
    private static let account = """
        SELECT user_id FROM recovery_codes WHERE hash = $1 OR previous_hash = $1 AND previous_until > now()
        """

    private static let endPrevious = """
        UPDATE recovery_codes SET previous_hash = NULL, previous_until = NULL WHERE user_id = $1
        """

    /// An account that comes back by a code of an operator is guarded for three days, whatever tokens and
    /// codes follow from that one.
    private static let use = """
        UPDATE recovery_codes
        SET hash = $2, created_at = now(), previous_hash = $3, previous_until = now() + interval '1 hour',
            guarded_until = CASE WHEN by_operator AND hash = $3 THEN now() + interval '3 days'
                ELSE guarded_until END,
            by_operator = by_operator AND hash <> $3
        WHERE user_id = $1
        """

    private static let guarded = """
        SELECT guarded_until FROM recovery_codes WHERE user_id = $1 AND guarded_until > now()
        """

    /// Endpoints that are made by sessions survive a recovery by a code of an operator: the notice of that
    /// may be on its way to them.
    private static let keepEndpoints = """
        UPDATE endpoints SET session = NULL FROM recovery_codes AS code
        WHERE endpoints.user_id = $1 AND endpoints.session IS NOT NULL AND endpoints.disabled_at IS NULL
            AND code.user_id = $1 AND code.by_operator AND code.hash = $2
        """

    private static let endOthers = "DELETE FROM tokens WHERE user_id = $1 AND number < 0"

    private static let mainToken = """
        UPDATE accounts SET token_hash = $2, token_version = token_version + 1 WHERE id = $1
        RETURNING token_version
        """

    /// The row may be that of a pending token, which has the next number: it is a new one from now on.
    private static let details = """
        UPDATE tokens
        SET prefix = $3, created_at = now(), last_used_at = NULL, pending_until = NULL, made_under = NULL
        WHERE user_id = $1 AND number = $2
        """

    private static let expires = "SELECT \(TokenList.expiry("$1", "$2")) IS NOT NULL"

    /// Gives the account a new code, which replaces the one that it has, if any. Throws an `APIError` if the
    /// token under which the user signed in is no longer valid, or if it expires: the token of a recovery
    /// would outlive it.
    package static func replace(
        of user: SignedInUser, with code: AccessCode, on connection: PostgresConnection
    ) async throws {
        try await AccountRemoval.lock(user.id, on: connection)
        if try await connection.query(expires, [user.id, user.tokenVersion]).first?.decode(0, Bool.self)
            == true
        {
            throw APIError(
                .conflict, "This token expires, and a recovery code does not. Use a token without an expiry.")
        }
        let count = try await connection.execute(replacement, [user.id, user.tokenVersion, code.hash])
        if count == 0 { throw APIError.tokenNotValid }
    }

    /// Returns the time until which the user can neither export nor delete the account; nil if it is past.
    package static func guardedUntil(
        of user: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) -> Timestamp? {
        try await pool.query(guarded, [user], retrying: true).first?.decode(0, Timestamp.self)
    }

    /// Gives an account that is locked a new code by an operator. It ends the code for a first sign-in.
    package static func give(
        _ code: AccessCode, to user: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await SignInCodes.end(of: user, on: connection)
        try await connection.query(insertion, [user, code.hash, true])
    }

    /// Gives an account that is locked, and that was never signed in to, its token and its recovery code.
    static func begin(
        _ user: Identifier, _ token: APIToken, _ recovery: AccessCode, under key: IdempotencyKey?,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(insertion, [user, recovery.hash, false])
        try await replaceMain(of: user, by: token, under: key, on: connection)
    }

    private static func replaceMain(
        of user: Identifier, by token: APIToken, under key: IdempotencyKey?,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        let number = try await connection.query(mainToken, [user, token.hash]).first?.decode(0, Int32.self)
        try await connection.query(details, [user, number, token.beginning])
        if let number { try await AccountWriter.note(key, for: user, number, on: connection) }
    }

    private static let forgetMain = """
        UPDATE tokens SET prefix = NULL, last_used_at = NULL, made_under = NULL, pending_until = NULL
        WHERE user_id = $1 AND number > 0
        """

    /// Ends all tokens, sessions and the first sign-in of an account that is locked: the main token is
    /// replaced by a random one that is never given out.
    package static func endTokens(
        of user: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(endOthers, [user])
        try await connection.query(mainToken, [user, APIToken.make().hash])
        try await connection.query(forgetMain, [user])
        try await SignInCodes.end(of: user, on: connection)
    }

    /// Returns the account that a code belongs to; nil if it belongs to none.
    package static func account(
        of code: AccessCode, in pool: PostgresPool
    ) async throws(PostgresError) -> Identifier? {
        try await pool.query(account, [code.hash], retrying: true).first?.decode(0, Identifier.self)
    }

    /// Ends the code that was used last, now that the token that it has brought is used.
    package static func endPreviousCode(
        of user: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) {
        try await pool.query(endPrevious, [user], retrying: true)
    }

    /// Makes the token the account's only one, and `next` its recovery code. Returns false where the code is
    /// not the account's any more.
    package static func recover(
        _ user: Identifier, by code: AccessCode, to token: APIToken, next: AccessCode,
        under key: IdempotencyKey?, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await AccountRemoval.lock(user, on: connection)
        // Under the lock, since another request may have used the code since.
        guard try await connection.query(account, [code.hash]).first?.decode(0, Identifier.self) == user
        else { return false }
        try await connection.query(keepEndpoints, [user, code.hash])
        try await connection.query(use, [user, next.hash, code.hash])
        try await connection.query(endOthers, [user])
        try await replaceMain(of: user, by: token, under: key, on: connection)
        return true
    }
}
