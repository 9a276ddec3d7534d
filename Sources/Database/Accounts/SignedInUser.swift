package import Contract
package import Postgres

/// An account, found by one of its tokens.
package struct SignedInUser: Sendable {
    package let id: Identifier
    package let name: String
    package let timeZone: String
    /// The tag of the language that the user chose, which a later server may have stored; nil for none.
    package let language: String?
    /// The number of the token, under which tickets are made: positive for the main one.
    package let tokenVersion: Int32
    package let createdAt: Timestamp
    /// Whether the token has never been used and another one is still valid.
    package var isPending = false
    /// Whether the token could be shown again until now, since it was made under an idempotency key.
    package var canBeShownAgain = false
    /// Whether a recovery code that was used would still work: the use of this token ends it.
    package var endsPreviousCode = false

    /// Why the account may not be used now; nil if it may.
    package var suspension: Suspension?
    /// The nanoseconds until the token ended when it was read, a minute at most; nil where it has no end.
    package var timeLeft: Int64?

    /// Whether the use of the token changes nothing.
    package var isSettled: Bool {
        !isPending && !canBeShownAgain && !endsPreviousCode && suspension == nil
    }

    package var user: User {
        User(
            id: id, name: name, timeZone: timeZone, language: language, createdAt: createdAt)
    }

    private static let byToken = """
        SELECT account.id, name, time_zone, language, number, account.created_at, pending_until IS NOT NULL,
            made_under IS NOT NULL,
            number > 0 AND EXISTS (
                SELECT FROM recovery_codes AS code WHERE code.user_id = account.id
                    AND previous_until > now()),
            held.reason, held.until, CASE WHEN expires_at IS NOT NULL
                THEN (least(extract(epoch FROM expires_at - now()), 60) * 1e9)::int8 END
        FROM tokens JOIN accounts AS account ON account.id = user_id
        LEFT JOIN suspensions AS held
            ON held.user_id = account.id AND \(Suspensions.holds)
        WHERE hash = $1 AND (pending_until IS NULL OR pending_until > now())
            AND (expires_at IS NULL OR expires_at > now())
        """

    /// Returns the account of the token or session with that hash; nil if there is none. It changes nothing:
    /// see `SignIn` for the use of a token.
    package static func find(_ hash: [UInt8], in database: PostgresPool) async throws -> SignedInUser? {
        guard let row = try await database.query(byToken, [hash], retrying: true).first else { return nil }
        return SignedInUser(
            id: try row.decode(0), name: try row.decode(1), timeZone: try row.decode(2),
            language: try row.decode(3), tokenVersion: try row.decode(4), createdAt: try row.decode(5),
            isPending: try row.decode(6), canBeShownAgain: try row.decode(7),
            endsPreviousCode: try row.decode(8),
            suspension: try row.decode(9, String?.self).map { reason throws(PostgresError) in
                Suspension(reason: reason, until: try row.decode(10))
            },
            timeLeft: try row.decode(11))
    }
}
