package import Contract
package import Postgres

/// An account, found by one of its tokens.
package struct SignedInUser: Sendable {
    package let id: Identifier
    package let name: String
    package let timeZone: String
    /// The number of the token, under which tickets are made: positive for the main one.
    package let tokenVersion: Int32
    package let createdAt: Timestamp
    /// Whether the token has never been used and another one is still valid.
    package var isPending = false
    /// Whether the token could be shown again until now, since it was made under an idempotency key.
    package var canBeShownAgain = false
    /// Whether a recovery code that was used would still work: the use of this token ends it.
    package var endsPreviousCode = false

    package var user: User { User(id: id, name: name, timeZone: timeZone, createdAt: createdAt) }

    private static let byToken = """
        SELECT account.id, name, time_zone, number, account.created_at, pending_until IS NOT NULL,
            made_under IS NOT NULL,
            number > 0 AND EXISTS (
                SELECT FROM recovery_codes AS code WHERE code.user_id = account.id AND previous_until > now())
        FROM tokens JOIN users AS account ON account.id = user_id
        WHERE hash = $1 AND (pending_until IS NULL OR pending_until > now())
            AND (expires_at IS NULL OR expires_at > now())
        """

    /// Returns the account with the token; nil if there is none. It changes nothing: see `SignIn` for the use
    /// of a token.
    package static func find(_ token: APIToken, in database: PostgresPool) async throws -> SignedInUser? {
        try await find(token.hash, in: database)
    }

    /// Returns the account with the session; nil if there is none.
    package static func find(
        _ session: SessionSecret, in database: PostgresPool
    ) async throws -> SignedInUser? {
        try await find(session.hash, in: database)
    }

    private static func find(_ hash: [UInt8], in database: PostgresPool) async throws -> SignedInUser? {
        guard let row = try await database.query(byToken, [hash], retrying: true).first else { return nil }
        let (id, name, timeZone, tokenVersion, createdAt, isPending, canBeShownAgain, endsPreviousCode) =
            try row.decode(
                Identifier.self, String.self, String.self, Int32.self, Timestamp.self, Bool.self, Bool.self,
                Bool.self)
        return SignedInUser(
            id: id, name: name, timeZone: timeZone, tokenVersion: tokenVersion, createdAt: createdAt,
            isPending: isPending, canBeShownAgain: canBeShownAgain,
            endsPreviousCode: endsPreviousCode)
    }
}
