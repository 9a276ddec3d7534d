package import Contract
package import Crypto
package import Postgres

/// The accounts of operators. They are made, disabled and given new passwords on the command line alone.
package enum OperatorAccounts {
    private static let insert = """
        INSERT INTO operators (
            name, role, salt, password_hash, cost, block_size, parallelism, code_secret, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
        ON CONFLICT (name) DO NOTHING
        """

    private static let reset = """
        UPDATE operators
        SET salt = $2, password_hash = $3, cost = $4, block_size = $5, parallelism = $6,
            code_secret = coalesce($7, code_secret),
            code_step = CASE WHEN $7 IS NULL THEN code_step ELSE 0 END,
            disabled_at = NULL
        WHERE name = $1
        """

    private static let disable = """
        UPDATE operators SET disabled_at = coalesce(disabled_at, now()) WHERE name = $1
        """

    /// Ends sessions and tokens, and forgets addresses.
    private static let endAccess = ["operator_sessions", "operator_tokens", "operator_addresses"].map {
        "DELETE FROM \($0) USING operators WHERE operators.id = operator_id AND name = $1"
    }

    private static let find = """
        SELECT id, name, role, salt, password_hash, cost, block_size, parallelism, code_secret, code_step,
            disabled_at IS NOT NULL,
            EXISTS (SELECT FROM operator_addresses WHERE operator_id = id AND address = $2)
        FROM operators WHERE name = $1
        """

    /// Operators are added one after the other: the first entry of the audit log names the first of them.
    private static let lockAll = "LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE"

    /// Adds an operator. Returns false where there is one of that name.
    package static func add(
        _ name: String, _ role: OperatorRole, _ password: PasswordHash, _ code: OneTimeCode?,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        let parameters = password.parameters
        try await connection.query(lockAll)
        return try await connection.execute(
            insert,
            [
                name, role.rawValue, password.salt, password.hash, parameters.cost, parameters.blockSize,
                parameters.parallelism, code?.secret,
            ]) == 1
    }

    /// Gives an operator a new password, ends all sessions and tokens, forgets the known addresses, and
    /// enables the account. One-time codes stay as they are where there is no new secret. Returns false where
    /// there is no operator of that name.
    package static func reset(
        _ name: String, _ password: PasswordHash, _ code: OneTimeCode?, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        let parameters = password.parameters
        let count = try await connection.execute(
            reset,
            [
                name, password.salt, password.hash, parameters.cost, parameters.blockSize,
                parameters.parallelism, code?.secret,
            ])
        try await end(name, on: connection)
        return count == 1
    }

    /// Keeps an operator from signing in, and ends all sessions and tokens. Returns false where there is none
    /// of that name.
    package static func disable(
        _ name: String, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        let count = try await connection.execute(disable, [name])
        try await end(name, on: connection)
        return count == 1
    }

    private static func end(
        _ name: String, on connection: PostgresConnection
    ) async throws(PostgresError) {
        for statement in endAccess { try await connection.query(statement, [name]) }
    }

    /// Returns the operator of that name, as the sign-in from that address needs it; nil if there is none.
    package static func find(
        _ name: String, from address: String, in pool: PostgresPool
    ) async throws(PostgresError) -> StoredOperator? {
        guard let row = try await pool.query(find, [name, address], retrying: true).first else { return nil }
        let (id, name, role, salt, hash) = try row.decode(
            Int64.self, String.self, String.self, [UInt8].self, [UInt8].self)
        let secret = try row.decode(8, [UInt8]?.self)
        return StoredOperator(
            account: Operator(id: id, name: name, role: OperatorRole(rawValue: role) ?? .viewer),
            password: PasswordHash(
                salt: salt, hash: hash,
                parameters: PasswordHash.Parameters(
                    cost: try row.decode(5), blockSize: try row.decode(6), parallelism: try row.decode(7))),
            code: secret.map { OneTimeCode(secret: $0) }, codeStep: try row.decode(9),
            isDisabled: try row.decode(10), knowsAddress: try row.decode(11))
    }

    /// Returns whether there are operators, disabled ones included.
    package static func exist(on connection: PostgresConnection) async throws(PostgresError) -> Bool {
        try await !connection.query("SELECT FROM operators LIMIT 1").isEmpty
    }

    /// An operator, as the command line lists one.
    package struct Listed: Sendable {
        package let name: String
        package let role: String
        package let createdAt: Timestamp
        package let lastSeenAt: Timestamp?
        package let disabledAt: Timestamp?
        package let hasCode: Bool
    }

    private static let list = """
        SELECT name, role, created_at, last_seen_at, disabled_at, code_secret IS NOT NULL
        FROM operators ORDER BY name
        """

    package static func list(in pool: PostgresPool) async throws(PostgresError) -> [Listed] {
        try await pool.query(list, retrying: true)
            .read(Listed.init(name:role:createdAt:lastSeenAt:disabledAt:hasCode:))
    }

    /// Selects a page of all operators, by their names. Parameters: `$1` last name, `$2` number of rows.
    package static let listed = """
        SELECT json_build_object(
            'id', id, 'name', name, 'role', role, 'createdAt', \(DeskRows.time("created_at")),
            'disabledAt', \(DeskRows.time("disabled_at")), 'hasCode', code_secret IS NOT NULL,
            'lastSeenAt', \(DeskRows.time("last_seen_at")))::text, name
        FROM operators WHERE $1::text IS NULL OR name > $1
        ORDER BY name LIMIT $2
        """
}
