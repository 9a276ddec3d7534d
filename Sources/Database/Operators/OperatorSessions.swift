package import Contract
import Crypto
package import Postgres

/// The sessions and tokens of operators.
package enum OperatorSessions {
    /// The life of a session.
    package static let life = Duration.seconds(12 * 3600)
    /// The most sessions, tokens and known addresses of one operator.
    private static let mostSessions: Int64 = 20
    package static let mostTokens: Int64 = 20
    private static let mostAddresses: Int64 = 20

    /// Takes the step of a one-time code: of two sign-ins with one code, one finds no row. Neither does one
    /// whose password was replaced while it was checked.
    private static let see = """
        UPDATE operators SET last_seen_at = $2, code_step = greatest(code_step, $3)
        WHERE id = $1 AND disabled_at IS NULL AND password_hash = $4 AND ($3 = 0 OR code_step < $3)
        """

    private static let insert = """
        INSERT INTO operator_sessions (hash, operator_id, created_at, expires_at) VALUES ($1, $2, $3, $4)
        """

    private static let forget = """
        DELETE FROM operator_sessions
        WHERE operator_id = $1 AND (expires_at <= $2 OR hash IN (
            SELECT hash FROM operator_sessions WHERE operator_id = $1 ORDER BY created_at DESC OFFSET $3))
        """

    private static let know = """
        INSERT INTO operator_addresses (operator_id, address, last_at) VALUES ($1, $2, $3)
        ON CONFLICT (operator_id, address) DO UPDATE SET last_at = excluded.last_at
        """

    private static let forgetAddresses = """
        DELETE FROM operator_addresses
        WHERE operator_id = $1 AND address IN (
            SELECT address FROM operator_addresses WHERE operator_id = $1
            ORDER BY last_at DESC, address OFFSET $2)
        """

    /// Begins a session. Returns false where the operator was disabled, the password was replaced, or the
    /// one-time code was used, meanwhile.
    package static func begin(
        _ secret: OperatorCookie, of stored: StoredOperator, from address: String, codeStep: Int64?,
        at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        let account = stored.account
        let seen = try await connection.execute(see, [account.id, now, codeStep ?? 0, stored.password.hash])
        guard seen == 1 else { return false }
        try await connection.query(insert, [secret.hash, account.id, now, now.adding(life)])
        try await connection.query(forget, [account.id, now, mostSessions])
        try await connection.query(know, [account.id, address, now])
        try await connection.query(forgetAddresses, [account.id, mostAddresses])
        return true
    }

    private static let bySession = """
        SELECT id, name, role, role, expires_at, false, NULL::int8
        FROM operator_sessions JOIN operators ON id = operator_id
        WHERE hash = $1 AND expires_at > $2 AND disabled_at IS NULL
        """

    private static let byToken = """
        SELECT operators.id, name, operators.role, token.role, expires_at,
            last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute', token.id
        FROM operator_tokens AS token JOIN operators ON operators.id = operator_id
        WHERE hash = $1 AND expires_at > $2 AND disabled_at IS NULL
        """

    /// The use of a token is noted to the minute.
    private static let use = "UPDATE operator_tokens SET last_used_at = $2 WHERE hash = $1"

    /// Returns the operator of the session secret; nil if it is invalid or has expired.
    package static func find(
        _ secret: OperatorSecret, at now: Timestamp, in pool: PostgresPool
    ) async throws(PostgresError) -> OperatorSession? {
        let (statement, hash) =
            switch secret {
            case .session(let cookie): (bySession, cookie.hash)
            case .token(let token): (byToken, token.hash)
            }
        guard let row = try await pool.query(statement, [hash, now], retrying: true).first else { return nil }
        let (id, name, own, given, expiresAt, isNew, token) = try row.decode(
            Int64.self, String.self, String.self, String.self, Timestamp.self, Bool.self, Int64?.self)
        let roles = [own, given].map { OperatorRole(rawValue: $0) ?? .viewer }
        if isNew { try await pool.query(use, [hash, now]) }
        return OperatorSession(
            account: Operator(id: id, name: name, role: min(roles[0], roles[1])), expiresAt: expiresAt,
            token: token)
    }

    private static let end = "DELETE FROM operator_sessions WHERE hash = $1"

    package static func end(
        _ secret: OperatorCookie, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(end, [secret.hash])
    }

    // Tokens.

    /// Selects a page of an operator's tokens, the newest first. Parameters: `$1` operator, `$2` cursor, `$3`
    /// number of rows.
    package static let tokens = """
        SELECT json_build_object(
            'id', id, 'name', label, 'label', label, 'role', role, 'prefix', prefix,
            'createdAt', \(DeskRows.time("created_at")), 'expiresAt', \(DeskRows.time("expires_at")),
            'lastUsedAt', \(DeskRows.time("last_used_at")))::text, id::text
        FROM operator_tokens WHERE operator_id = $1 AND id < $2
        ORDER BY id DESC LIMIT $3
        """

    private static let lock = "SELECT FROM operators WHERE id = $1 FOR UPDATE"

    private static let forgetTokens =
        "DELETE FROM operator_tokens WHERE operator_id = $1 AND expires_at <= $2"

    private static let countTokens = "SELECT count(*) FROM operator_tokens WHERE operator_id = $1"

    private static let insertToken = """
        INSERT INTO operator_tokens (operator_id, hash, prefix, label, role, created_at, expires_at, parent)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id
        """

    /// Adds a token, which ends with its parent if it has one. Returns nil if the operator has as many as
    /// there may be.
    package static func add(
        _ secret: OperatorToken, to account: Operator, label: String, role: OperatorRole,
        until expiresAt: Timestamp, madeBy parent: Int64?, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Int64? {
        try await connection.query(lock, [account.id])
        try await connection.query(forgetTokens, [account.id, now])
        let count = try await connection.query(countTokens, [account.id]).first?.decode(0, Int64.self) ?? 0
        if count >= mostTokens { return nil }
        return try await connection.query(
            insertToken,
            [account.id, secret.hash, secret.beginning, label, role.rawValue, now, expiresAt, parent]
        ).first?.decode(0, Int64.self)
    }

    private static let endToken = """
        DELETE FROM operator_tokens WHERE id = $1 AND operator_id = $2 RETURNING label
        """

    /// Ends a token; a foreign key ends those that it made. Returns its label; nil if the operator has none
    /// with that id.
    package static func endToken(
        _ id: Int64, of account: Operator, on connection: PostgresConnection
    ) async throws(PostgresError) -> String? {
        try await connection.query(endToken, [id, account.id]).first?.decode(0, String.self)
    }
}
