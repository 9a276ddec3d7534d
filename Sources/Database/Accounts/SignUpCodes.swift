package import Contract
package import Postgres

/// The codes by which people make accounts while sign-ups are closed.
package enum SignUpCodes {
    /// The most codes at once, used up ones included.
    package static let most = 1000
    /// The number of accounts that one code can be made for.
    package static let uses = 1...10_000
    /// The longest time that a code is good for.
    package static let longestSeconds = 366 * 86_400
    /// The time that a code is good for if no other is asked for.
    package static let usualSeconds = 7 * 86_400

    /// The actions in the audit log.
    package static let (addAction, endAction) = ("sign-up-code.add", "sign-up-code.end")

    /// Returns the subject of an act in the audit log.
    package static func subject(_ id: Int64) -> String { "sign-up-code:\(id)" }

    /// Codes are made one after the other, so that there are never more than the most. Sign-ups, which update
    /// rows, do not wait for this lock.
    private static let lockAll = "LOCK TABLE sign_up_codes IN SHARE UPDATE EXCLUSIVE MODE"

    private static let insert = """
        INSERT INTO sign_up_codes (hash, operator, created_at, expires_at, uses)
        SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM sign_up_codes) < $6
        RETURNING id
        """

    private static let use = """
        UPDATE sign_up_codes SET used = used + 1 WHERE hash = $1 AND used < uses AND expires_at > $2
        """

    private static let end = "DELETE FROM sign_up_codes WHERE id = $1"

    private static let removeExpired = "DELETE FROM sign_up_codes WHERE expires_at <= $1"

    /// Selects a page of the codes that have not expired, the latest first. Parameters: `$1` cursor, `$2`
    /// now, `$3` number of rows.
    package static let listed = """
        SELECT json_build_object(
            'id', id, 'operator', operator, 'createdAt', \(DeskRows.time("created_at")),
            'expiresAt', \(DeskRows.time("expires_at")), 'uses', uses, 'used', used)::text, id::text
        FROM sign_up_codes WHERE id < $1 AND expires_at > $2
        ORDER BY id DESC LIMIT $3
        """

    /// Stores a code. Returns its number; nil if there are as many codes as there may be.
    package static func add(
        _ code: AccessCode, uses: Int, until end: Timestamp, by name: String, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Int64? {
        try await connection.query(lockAll)
        return try await connection.query(
            insert, [code.hash, name, now, end, Int32(uses), Int64(most)]
        ).first?.decode(0, Int64.self)
    }

    /// Takes one use of a code. Returns false if it is unknown, used up or expired.
    package static func use(
        _ code: AccessCode, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await connection.execute(use, [code.hash, now]) == 1
    }

    /// Ends a code. Returns false if there is none with that number.
    package static func end(
        _ id: Int64, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await connection.execute(end, [id]) == 1
    }

    /// A code, as the command line lists one.
    package struct Listed: Sendable {
        package let id: Int64
        package let by: String
        package let expiresAt: Timestamp
        package let uses: Int32
        package let used: Int32
    }

    private static let list = """
        SELECT id, operator, expires_at, uses, used FROM sign_up_codes WHERE expires_at > $1 ORDER BY id
        """

    /// Returns all codes that have not expired.
    package static func list(
        at now: Timestamp, in pool: PostgresPool
    ) async throws(PostgresError) -> [Listed] {
        try await pool.query(list, [now], retrying: true).read(Listed.init(id:by:expiresAt:uses:used:))
    }

    /// Removes the codes that have expired.
    package static func removeExpired(
        at now: Timestamp, in pool: PostgresPool
    ) async throws(PostgresError) {
        try await pool.query(removeExpired, [now], retrying: true)
    }
}
