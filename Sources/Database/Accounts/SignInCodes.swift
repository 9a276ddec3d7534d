package import Contract
package import Postgres

/// The codes by which people whose account an operator has made sign in for the first time.
package enum SignInCodes {
    /// The time for which a code is good.
    package static let seconds = 7 * 86_400

    /// Until the code is used, the main token is a random one that is never given out. A trigger copies it
    /// into `tokens`.
    private static let insert = """
        WITH code AS (
            INSERT INTO sign_in_codes (user_id, hash, created_at, expires_at) VALUES ($1, $5, $6, $7)
        )
        INSERT INTO users (id, name, time_zone, language, token_hash, created_at)
        VALUES ($1, $2, $3, $4, $8, $6)
        """

    private static let find = "SELECT user_id FROM sign_in_codes WHERE hash = $1 AND expires_at > $2"

    private static let use = """
        DELETE FROM sign_in_codes
        WHERE user_id = $1 AND hash = $2 AND expires_at > $3 AND EXISTS (SELECT FROM accounts WHERE id = $1)
        """

    private static let end = "DELETE FROM sign_in_codes WHERE user_id = $1"

    private static let removeExpired = "DELETE FROM sign_in_codes WHERE expires_at <= $1"

    /// Stores a new account that is signed in to by the code, until `end`.
    package static func create(
        _ user: User, _ code: AccessCode, until end: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(
            insert,
            [
                user.id, user.name, user.timeZone, user.language, code.hash, user.createdAt, end,
                APIToken.make().hash,
            ])
    }

    /// Returns the account that a code belongs to; nil if it is unknown, used or expired.
    package static func account(
        of code: AccessCode, at now: Timestamp, in pool: PostgresPool
    ) async throws(PostgresError) -> Identifier? {
        try await pool.query(find, [code.hash, now], retrying: true).first?.decode(0, Identifier.self)
    }

    /// Uses a code: gives the account its first token and recovery code, and the idempotency key under which
    /// they were made. Returns false if the code was used meanwhile.
    package static func use(
        _ code: AccessCode, of user: Identifier, at now: Timestamp, token: APIToken, recovery: AccessCode,
        under key: IdempotencyKey?, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await AccountRemoval.lock(user, on: connection)
        guard try await connection.execute(use, [user, code.hash, now]) == 1 else { return false }
        try await RecoveryWriter.begin(user, token, recovery, under: key, on: connection)
        return true
    }

    /// Ends the code of an account that is locked.
    static func end(of user: Identifier, on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query(end, [user])
    }

    /// Removes the codes that have expired.
    package static func removeExpired(
        at now: Timestamp, in pool: PostgresPool
    ) async throws(PostgresError) {
        try await pool.query(removeExpired, [now], retrying: true)
    }
}
