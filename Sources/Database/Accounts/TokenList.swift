package import Contract
import Crypto
package import Postgres

/// The tokens of one account. Writers lock the account first.
package enum TokenList {
    private static let select = """
        SELECT number, label, created_at, last_used_at, prefix, expires_at FROM tokens
        WHERE user_id = $1 AND pending_until IS NULL AND made_by IS NULL
            AND (expires_at IS NULL OR expires_at > now())
        ORDER BY created_at, number DESC
        """

    /// The number that the next token gets. It grows before the token is stored, so that no number is used
    /// twice, and rooms can tell an older list from a newer one.
    static let number = """
        UPDATE accounts SET last_token = last_token + 1
        WHERE id = $1 AND EXISTS (SELECT FROM tokens WHERE user_id = $1 AND number = $2)
        RETURNING -last_token
        """

    /// A session with an endpoint, and the token that made it, are kept for the last push: see
    /// `EndedSessions`.
    static let forgetExpired = """
        DELETE FROM tokens
        WHERE user_id = $1 AND expires_at <= now() AND NOT EXISTS (
            SELECT FROM endpoints AS endpoint
            JOIN tokens AS session
                ON session.user_id = endpoint.user_id AND session.number = endpoint.session
            WHERE endpoint.user_id = $1 AND tokens.number IN (session.number, session.made_by))
        """

    /// Returns the expiry of the token of a number, or of the token that made that session. `least` ignores
    /// NULL, which is no expiry.
    static func expiry(_ user: String, _ number: String) -> String {
        """
        (SELECT least(CASE WHEN own.made_by IS NULL THEN own.expires_at END, maker.expires_at)
        FROM tokens AS own LEFT JOIN tokens AS maker
            ON maker.user_id = own.user_id AND maker.number = own.made_by
        WHERE own.user_id = \(user) AND own.number = \(number))
        """
    }

    /// A token ends and expires with the token that makes it, or that made the session which makes it. A main
    /// token has a positive number, and is the parent of no token: its renewal ends no other one.
    private static let insert = """
        INSERT INTO tokens (user_id, number, hash, created_at, label, prefix, expires_at, parent)
        VALUES ($1, $2, $3, now(), $4, $5, least($6::timestamptz, \(expiry("$1", "$7"))), (
            SELECT CASE WHEN coalesce(made_by, number) < 0 THEN coalesce(made_by, number) END
            FROM tokens WHERE user_id = $1 AND number = $7))
        RETURNING created_at, expires_at
        """

    /// A foreign key deletes the tokens and sessions that it made.
    private static let delete = "DELETE FROM tokens WHERE user_id = $1 AND number = $2"

    private static let hasRecoveryCode = "SELECT FROM recovery_codes WHERE user_id = $1"

    /// Returns the tokens that are valid, oldest first. A pending one is none of them yet.
    package static func read(
        of user: SignedInUser, in pool: PostgresPool
    ) async throws(PostgresError) -> [AccountToken] {
        try await pool.query(select, [user.id], retrying: true).read {
            AccountToken(
                id: id(of: user.id, $0), name: $1, createdAt: $2, lastUsedAt: $3, expiresAt: $5, prefix: $4,
                isMain: $0 > 0, isCurrent: $0 == user.tokenVersion)
        }
    }

    /// Adds a token. It does not outlive the expiry of the token under which the user signed in. Throws an
    /// `APIError` if that one is no longer valid, or the account has as many tokens as it may have.
    package static func add(
        _ token: APIToken, named name: String, until expiresAt: Timestamp?, to user: SignedInUser,
        under key: IdempotencyKey?, on connection: PostgresConnection
    ) async throws -> AccountToken {
        try await AccountRemoval.lock(user.id, on: connection)
        try await connection.query(forgetExpired, [user.id])
        let count = try await connection.query(select, [user.id]).count
        let row = try await connection.query(number, [user.id, user.tokenVersion]).first
        guard let number = try row?.decode(0, Int32.self) else { throw APIError.tokenNotValid }
        if count >= Limits.tokens {
            throw APIError(
                .limitReached,
                "Your account has \(Limits.tokens) tokens, which is as many as it may have. Revoke one "
                    + "first.")
        }
        let stored = try await connection.query(
            insert, [user.id, number, token.hash, name, token.beginning, expiresAt, user.tokenVersion])
        let (createdAt, end) = try stored[0].decode(Timestamp.self, Timestamp?.self)
        try await AccountWriter.note(key, for: user.id, number, on: connection)
        return AccountToken(
            id: id(of: user.id, number), name: name, createdAt: createdAt, lastUsedAt: nil,
            expiresAt: end, prefix: token.beginning, isMain: false, isCurrent: false)
    }

    /// Ends a token, the tokens and sessions that it made, those that these made, and all their tickets. All
    /// tokens descend from the main one. Throws an `APIError` if the account has no such token, or if it is
    /// the main one and there is no recovery code.
    package static func revoke(
        _ token: Identifier, of user: SignedInUser, on connection: PostgresConnection
    ) async throws {
        try await AccountRemoval.lock(user.id, on: connection)
        for row in try await connection.query(select, [user.id]) {
            let number = try row.decode(0, Int32.self)
            if id(of: user.id, number) != token { continue }
            if number < 0 {
                try await connection.query(delete, [user.id, number])
                return
            }
            if try await connection.query(hasRecoveryCode, [user.id]).isEmpty {
                throw APIError(
                    .conflict,
                    "All tokens of the account end with this one, and it has no recovery code. Make one "
                        + "first by POST \(Routes.recoveryCode), or delete the account by DELETE "
                        + "\(Routes.me).")
            }
            return try await RecoveryWriter.endTokens(of: user.id, on: connection)
        }
        throw APIError.notFound
    }

    /// Returns the id of a token. It follows from the account and the number, and says nothing about the
    /// token itself (RFC 9562 §5.8).
    static func id(of user: Identifier, _ number: Int32) -> Identifier {
        let digest = Digest.sha256(Array("token \(user) \(number)".utf8))
        let value = UInt128(bytes: digest.prefix(16))
        let (version, variant) = (UInt128(0xF) << 76, UInt128(3) << 62)
        return Identifier(value: value & ~version & ~variant | UInt128(8) << 76 | UInt128(2) << 62)
    }
}
