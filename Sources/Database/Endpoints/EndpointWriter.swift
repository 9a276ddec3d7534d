package import Contract
package import Crypto
package import Postgres

/// Creates endpoints, removes them, and changes their secrets.
package enum EndpointWriter {
    /// The time in which messages are signed with both keys while a secret is replaced.
    static let overlap = Duration.seconds(24 * 3600)

    /// The most replaced secrets of one endpoint with which messages are signed in addition to the current
    /// one.
    private static let retiredSecrets: Int64 = 5

    private static let count = "SELECT count(*) FROM endpoints WHERE user_id = $1"

    // These statements share their parameters: `$1` user, `$2` kind, `$3` address, `$4` host, `$5` types,
    // `$6` environment, `$7` and `$8` keys, `$9` and `$10` whether it is verified and is to be verified,
    // `$11` now, `$12` token, `$13` id, `$14` secret.

    private static let insert = """
        INSERT INTO endpoints (
            id, user_id, kind, address, host, types, environment, p256dh, auth, secret, created_at,
            verified_at, session)
        VALUES ($13, $1, $2, $3, $4, $5, $6, $7, $8, $14, $11, $9, \(session("$1", "$2", "$12")))
        ON CONFLICT (user_id, kind, address) DO NOTHING
        """

    /// Returns the number of the session if a browser is registered by one; else NULL.
    private static func session(_ user: String, _ kind: String, _ number: String) -> String {
        """
        (SELECT number FROM tokens
        WHERE user_id = \(user) AND number = \(number) AND made_by IS NOT NULL AND \(kind) = 'webpush')
        """
    }

    /// Inserts a test delivery, due at once and expired after an hour. A challenge precedes it; to a push
    /// service it is a push without a payload.
    private static let challenge = """
        INSERT INTO deliveries (endpoint_id, priority, due_at, expires_at)
        VALUES ($1, 2, $2, $2::timestamptz + interval '1 hour')
        """

    /// Renews a device or a browser that the user has registered before: all but its id is as if it were new.
    private static let renew = """
        UPDATE endpoints
        SET host = $4, types = $5, environment = $6, p256dh = $7, auth = $8,
            failing_since = NULL, disabled_at = NULL, reason = NULL, reason_code = NULL,
            verified_at = coalesce(verified_at, $9),
            session = \(session("$1", "$2", "$12")), farewell_at = NULL,
            registered_at = greatest(
                $11, coalesce(registered_at, created_at) + interval '1 microsecond')
        WHERE user_id = $1 AND kind = $2 AND address = $3 AND kind <> 'webhook'
        RETURNING id, created_at, kind = 'webpush' AND $10 AND verified_at IS NULL
        """

    /// Settles the last push of an endpoint that goes on after all.
    private static let unsay = """
        UPDATE deliveries SET settled_at = $2, outcome = 'gone', courier = NULL
        WHERE endpoint_id = $1 AND settled_at IS NULL AND notification_id IS NULL AND priority = 1
        """

    private static let remove = "DELETE FROM endpoints WHERE id = $1 AND user_id = $2"

    /// Selects until when an endpoint of a guarded account stays as it is. The account came back by a code of
    /// an operator, and the notice of that may be on its way: the holder of the new token must not keep it
    /// from an endpoint that existed before. Endpoints that were made since can be changed.
    private static let guarded = """
        SELECT guarded_until FROM endpoints JOIN recovery_codes USING (user_id)
        WHERE guarded_until > now() AND endpoints.created_at < guarded_until - interval '3 days'
        """

    private static let guardedByID = "\(guarded) AND id = $1 AND user_id = $2"

    /// Giving a browser or a device other keys would end it as well as removing it, or as giving it to
    /// another account.
    private static let guardedByAddress = """
        \(guarded) AND kind = $2 AND address = $3 AND kind <> 'webhook'
            AND (user_id <> $1 OR environment IS DISTINCT FROM $6 OR p256dh IS DISTINCT FROM $7
                OR auth IS DISTINCT FROM $8)
        """

    private static let read = """
        SELECT secret FROM endpoints WHERE id = $1 AND user_id = $2 AND kind = 'webhook' FOR NO KEY UPDATE
        """

    private static let forget = "DELETE FROM retired_secrets WHERE endpoint_id = $1 AND valid_until <= $2"

    private static let retire = """
        INSERT INTO retired_secrets (endpoint_id, secret, valid_until)
        SELECT $1, $2, $3 WHERE $4 > (SELECT count(*) FROM retired_secrets WHERE endpoint_id = $1)
        """

    private static let replace = "UPDATE endpoints SET secret = $2 WHERE id = $1"

    private static let verified = "UPDATE endpoints SET verified_at = now() WHERE id = $1"

    /// Stores that the receiver of the endpoint has echoed a challenge, or its push service has accepted a
    /// push.
    package static func verify(_ id: Identifier, in database: PostgresPool) async throws {
        try await database.execute(verified, [id])
    }

    /// Stores an endpoint. Returns nil if it is new, else the one that the user has registered before, as it
    /// is now: active again. A device or a browser of another user is this user's from then on, by a trigger.
    package static func put(
        _ new: CheckedEndpoint, of user: SignedInUser, on connection: PostgresConnection
    ) async throws -> Endpoint? {
        let endpoint = new.endpoint
        let isUnverified = endpoint.state == .unverified
        let verifiedAt = endpoint.kind == .webpush && !isUnverified ? endpoint.createdAt : nil
        let values: [any PostgresEncodable] = [
            user.id, endpoint.kind.rawValue, new.address, new.host, endpoint.types,
            endpoint.environment?.rawValue, new.publicKey, new.auth, verifiedAt, isUnverified,
            endpoint.createdAt, user.tokenVersion, endpoint.id, new.secret?.bytes,
        ]
        try await connection.lockAccount(user.id)
        try check(try await connection.query(guardedByAddress, values))
        if let row = try await connection.query(renew, values).first {
            var renewed = endpoint
            let isStillUnverified: Bool
            (renewed.id, renewed.createdAt, isStillUnverified) = try row.decode(
                Identifier.self, Timestamp.self, Bool.self)
            try await connection.query(unsay, [renewed.id, endpoint.createdAt])
            renewed.state = isStillUnverified ? .known(.unverified) : .known(.active)
            return renewed
        }
        let count = try await connection.query(Self.count, [user.id]).first?.decode(0, Int64.self) ?? 0
        guard count < Limits.endpoints else {
            throw APIError(
                .limitReached,
                "You have \(count) endpoints, which is as many as you may have. Remove one first.")
        }
        guard try await connection.execute(insert, values) == 1 else {
            throw APIError(.conflict, "You have this endpoint already. Remove it first to add it again.")
        }
        if isUnverified {
            try await connection.query(challenge, [endpoint.id, endpoint.createdAt])
        }
        return nil
    }

    /// Removes an endpoint. Throws an `APIError` if there is none, it belongs to another user, or the account
    /// is guarded.
    package static func remove(
        _ id: Identifier, of user: SignedInUser, in database: PostgresPool
    ) async throws {
        try check(try await database.query(guardedByID, [id, user.id], retrying: true))
        if try await database.execute(remove, [id, user.id]) == 0 { throw APIError.notFound }
    }

    /// Throws a 403 if an endpoint has to stay as it is.
    private static func check(_ guarded: PostgresRows) throws {
        guard let until = try guarded.first?.decode(0, Timestamp.self) else { return }
        var error = APIError(
            .recentlyRecovered,
            "This endpoint is of an account that was recovered by a code of an operator. It can be removed "
                + "and changed from \(until) on.")
        error.problem.until = until
        throw error
    }

    /// Replaces the secret of a webhook. Throws an `APIError` if there is no such webhook, or the account is
    /// guarded. A replaced secret keeps its time also when the next one is replaced: the answer may have
    /// been lost, and the receiver may not have the new one yet.
    package static func rotate(
        _ id: Identifier, to secret: WebhookSecret, of user: SignedInUser, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws -> EndpointSecret {
        let until = now.adding(overlap)
        let row = try await connection.query(read, [id, user.id]).first
        guard let old = try row?.decode(0, [UInt8].self) else {
            throw APIError(.notFound, "No webhook of yours has that id.")
        }
        try check(try await connection.query(guardedByID, [id, user.id]))
        try await connection.query(forget, [id, now])
        guard try await connection.execute(retire, [id, old, until, retiredSecrets]) == 1 else {
            throw APIError(
                .tooManyRequests, "At most \(retiredSecrets) new secrets of an endpoint in a day.",
                headers: ["Retry-After": "\(overlap.components.seconds)"])
        }
        try await connection.query(replace, [id, secret.bytes])
        return EndpointSecret(secret: secret.text, previousUntil: until)
    }
}
