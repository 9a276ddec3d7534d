package import Contract
package import Postgres

/// The sessions of one account. Writers lock the account first.
package enum SessionList {
    private static let select = """
        SELECT number, created_at, last_used_at, expires_at FROM tokens
        WHERE user_id = $1 AND made_by IS NOT NULL AND expires_at > now()
        ORDER BY created_at, number DESC
        """

    /// A session lasts for thirty days after its last use, and not longer than its token.
    private static let insert = """
        INSERT INTO tokens (user_id, number, hash, created_at, made_by, expires_at)
        SELECT user_id, $2, $3, now(), number, least(now() + interval '30 days', expires_at)
        FROM tokens
        WHERE user_id = $1 AND number = $4 AND made_by IS NULL AND (expires_at IS NULL OR expires_at > now())
        RETURNING created_at, expires_at
        """

    /// Ends the sessions that were not used for the longest time, so that one more has a place. Those that
    /// have an endpoint expire, for its last push: see `EndedSessions`.
    private static let makeRoom = """
        WITH old AS MATERIALIZED (
            SELECT number, EXISTS (
                SELECT FROM endpoints WHERE user_id = $1 AND session = tokens.number) AS has_endpoint
            FROM tokens
            WHERE user_id = $1 AND made_by IS NOT NULL AND expires_at > now()
            ORDER BY coalesce(last_used_at, created_at) DESC, number
            OFFSET $2
        ), expired AS (
            UPDATE tokens SET expires_at = now()
            WHERE user_id = $1 AND number IN (SELECT number FROM old WHERE has_endpoint)
            RETURNING number
        ), deleted AS (
            DELETE FROM tokens
            WHERE user_id = $1 AND number IN (SELECT number FROM old WHERE NOT has_endpoint)
            RETURNING number
        )
        SELECT number FROM expired UNION ALL SELECT number FROM deleted
        """

    private static let delete = """
        DELETE FROM tokens WHERE user_id = $1 AND number = $2 AND made_by IS NOT NULL
        """

    /// Returns the sessions that are valid, oldest first.
    package static func read(
        of user: SignedInUser, in pool: PostgresPool
    ) async throws(PostgresError) -> [AccountSession] {
        try await pool.query(select, [user.id], retrying: true).read {
            AccountSession(
                id: TokenList.id(of: user.id, $0), createdAt: $1, lastUsedAt: $2, expiresAt: $3,
                isCurrent: $0 == user.tokenVersion)
        }
    }

    /// Adds a session of the token under which the user signed in; throws an `APIError` if that token is not
    /// valid any more. `hasEnded` says whether others had to end for it.
    package static func add(
        _ secret: SessionSecret, to user: SignedInUser, on connection: PostgresConnection
    ) async throws -> (session: AccountSession, hasEnded: Bool) {
        try await AccountRemoval.lock(user.id, on: connection)
        try await connection.query(TokenList.forgetExpired, [user.id])
        let row = try await connection.query(TokenList.number, [user.id, user.tokenVersion]).first
        guard let number = try row?.decode(0, Int32.self),
            let stored = try await connection.query(
                insert, [user.id, number, secret.hash, user.tokenVersion]
            ).first
        else { throw APIError.tokenNotValid }
        // The new one was not used yet, and has the latest time: it stays.
        let ended = try await connection.query(makeRoom, [user.id, Int64(Limits.sessions)]).count
        let (createdAt, expiresAt) = try stored.decode(Timestamp.self, Timestamp.self)
        let session = AccountSession(
            id: TokenList.id(of: user.id, number), createdAt: createdAt, lastUsedAt: nil,
            expiresAt: expiresAt, isCurrent: false)
        return (session, ended > 0)
    }

    /// Ends a session. Throws an `APIError` if the account has none with that id.
    package static func end(
        _ session: Identifier, of user: SignedInUser, on connection: PostgresConnection
    ) async throws {
        try await AccountRemoval.lock(user.id, on: connection)
        for row in try await connection.query(select, [user.id]) {
            let number = try row.decode(0, Int32.self)
            if TokenList.id(of: user.id, number) != session { continue }
            try await connection.query(delete, [user.id, number])
            return
        }
        throw APIError.notFound
    }

    /// Ends the session under which the user signed in. Throws an `APIError` if that is no session.
    package static func endOwn(of user: SignedInUser, on connection: PostgresConnection) async throws {
        try await AccountRemoval.lock(user.id, on: connection)
        if try await connection.execute(delete, [user.id, user.tokenVersion]) == 0 {
            throw APIError(
                .notFound, "This request has no session. Those of your account are at \(Routes.sessions).")
        }
    }
}
