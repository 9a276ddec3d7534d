package import Contract
package import Postgres

/// Reads deliveries and endpoints for operators, without addresses and texts.
package enum DeskDeliveries {
    /// The deliveries that one page looks at: with a filter that few pass, a page may be short, and has a
    /// cursor.
    private static let window = 20_000

    package enum State: String, CaseIterable, Sendable { case waiting, retried, delivered, failed }

    /// The condition that the account of an `endpoint` is not deleted.
    private static let isOfAccount = "EXISTS (SELECT FROM accounts WHERE accounts.id = endpoint.user_id)"

    private static let line = """
        jsonb_build_object(
            'id', delivery.id, 'type', coalesce(notice.type, 'test'), 'channel', endpoint.kind, 'host',
                endpoint.host,
            'dueAt', \(DeskRows.time("delivery.due_at")), 'attempts', delivery.attempts,
            'outcome', coalesce(delivery.outcome, CASE WHEN delivery.attempts > 0 THEN 'retried'
                ELSE 'waiting' END),
            'detail', coalesce(latest.detail, ''), 'personId', endpoint.user_id, 'endpointId', endpoint.id)
        """

    private static let source = """
        JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id AND \(isOfAccount)
        LEFT JOIN notifications AS notice ON notice.id = delivery.notification_id
        LEFT JOIN LATERAL (
            SELECT attempt.detail FROM attempts AS attempt
            WHERE attempt.endpoint_id = delivery.endpoint_id AND attempt.delivery_id = delivery.id
            ORDER BY attempt.id DESC LIMIT 1) AS latest ON true
        """

    private static let list = """
        WITH looked AS MATERIALIZED (
            SELECT * FROM deliveries WHERE id < $1 ORDER BY id DESC LIMIT \(window)
        ), passing AS (
            SELECT delivery.* FROM looked AS delivery
            JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id AND \(isOfAccount)
            WHERE ($2::text IS NULL OR CASE $2
                    WHEN 'waiting' THEN delivery.settled_at IS NULL AND delivery.attempts = 0
                    WHEN 'retried' THEN delivery.settled_at IS NULL AND delivery.attempts > 0
                    WHEN 'delivered' THEN delivery.outcome = 'delivered'
                    ELSE delivery.outcome IN ('exhausted', 'refused', 'expired', 'gone') END)
                AND ($3::text IS NULL OR endpoint.kind = $3) AND ($4::text IS NULL OR endpoint.host = $4)
            ORDER BY delivery.id DESC LIMIT $5
        )
        SELECT \(line)::text, delivery.id::text,
            (SELECT count(*) FROM looked), (SELECT min(id) FROM looked)
        FROM passing AS delivery \(source)
        ORDER BY delivery.id DESC
        """

    private static let oldestLooked = """
        SELECT count(*), min(id) FROM (SELECT id FROM deliveries WHERE id < $1
            ORDER BY id DESC LIMIT \(window)) AS looked
        """

    /// Returns a page of deliveries, the newest first.
    package static func page(
        _ state: State?, channel: String?, host: String?, before id: Int64, limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> DeskPage {
        let rows = try await pool.query(
            list, [id, state?.rawValue, channel, host, Int64(limit + 1)], retrying: true
        ).map { row throws(PostgresError) in
            try row.decode(String.self, String.self, Int64.self, Int64.self)
        }
        let found = rows.prefix(limit).map(\.0)
        if rows.count > limit { return DeskPage(rows: found, nextCursor: rows[limit - 1].1) }
        var looked = rows.last.map { (count: $0.2, last: $0.3) }
        if looked == nil, let row = try await pool.query(oldestLooked, [id], retrying: true).first {
            let (count, last) = try row.decode(Int64.self, Int64?.self)
            looked = last.map { (count, $0) }
        }
        // Nothing more passes among those that were looked at; there may be older ones.
        let next = looked.flatMap { $0.count == Int64(window) ? "\($0.last)" : nil }
        return DeskPage(rows: found, nextCursor: next)
    }

    /// Selects delivery `$1` with its attempts.
    package static let one = """
        SELECT (\(line) || jsonb_build_object(
            'expiresAt', \(DeskRows.time("delivery.expires_at")), 'settledAt',
                \(DeskRows.time("delivery.settled_at")),
            'attemptList', coalesce((
                SELECT jsonb_agg(jsonb_build_object(
                    'id', attempt.id, 'at', \(DeskRows.time("attempt.at")), 'seconds', attempt.seconds,
                    'outcome', attempt.outcome, 'detail', attempt.detail) ORDER BY attempt.id)
                FROM attempts AS attempt
                WHERE attempt.endpoint_id = delivery.endpoint_id AND attempt.delivery_id = delivery.id),
                    '[]')))::text
        FROM deliveries AS delivery \(source)
        WHERE delivery.id = $1
        """

    /// Selects the first `$1` hosts for which something waits or fails, those with the most first.
    package static let hosts = """
        WITH waiting AS (
            SELECT endpoint_id, count(*) AS number FROM (
                SELECT endpoint_id FROM deliveries WHERE settled_at IS NULL
                ORDER BY priority, due_at, id LIMIT \(window)) AS first
            GROUP BY endpoint_id
        ), bad AS (
            SELECT id FROM endpoints WHERE failing_since IS NOT NULL OR disabled_at IS NOT NULL
            ORDER BY id DESC LIMIT \(window)
        )
        SELECT json_build_object('channel', kind, 'host', host, 'endpoints', count(*),
            'disabled', count(disabled_at), 'failing',
                count(failing_since) FILTER (WHERE disabled_at IS NULL),
            'waiting', coalesce(sum(waiting.number), 0))::text, NULL
        FROM endpoints AS endpoint
        LEFT JOIN waiting ON waiting.endpoint_id = endpoint.id
        WHERE endpoint.id IN (SELECT id FROM bad UNION SELECT endpoint_id FROM waiting) AND \(isOfAccount)
        GROUP BY kind, host
        ORDER BY coalesce(sum(waiting.number), 0) DESC, count(failing_since) DESC, kind, host LIMIT $1
        """

    private static let endpoint = """
        json_build_object(
            'id', endpoint.id, 'personId', endpoint.user_id, 'kind', endpoint.kind, 'host', endpoint.host,
            'createdAt', \(DeskRows.time("endpoint.created_at")),
            'failingSince', \(DeskRows.time("endpoint.failing_since")),
            'disabledAt', \(DeskRows.time("endpoint.disabled_at")), 'reason', endpoint.reason)::text
        """

    /// Selects a page of endpoints that fail, or that are disabled. Parameters: `$1` cursor, `$2` whether
    /// they are disabled; NULL: both, `$3` number of rows.
    package static let endpoints = """
        SELECT \(endpoint), endpoint.id::text FROM endpoints AS endpoint
        WHERE (endpoint.failing_since IS NOT NULL OR endpoint.disabled_at IS NOT NULL)
            AND ($1::uuid IS NULL OR endpoint.id < $1)
            AND ($2::bool IS NULL OR (endpoint.disabled_at IS NOT NULL) = $2) AND \(isOfAccount)
        ORDER BY endpoint.id DESC LIMIT $3
        """

    /// Selects endpoint `$1`.
    package static let oneEndpoint = """
        SELECT \(endpoint) FROM endpoints AS endpoint WHERE endpoint.id = $1 AND \(isOfAccount)
        """

    /// An endpoint under lock.
    package struct Locked: Sendable {
        package let owner: Identifier
        package let reason: String?
    }

    private static let lock = """
        SELECT user_id, reason FROM endpoints AS endpoint WHERE id = $1 AND \(isOfAccount) FOR NO KEY UPDATE
        """

    package static func lockEndpoint(
        _ id: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> Locked? {
        try await connection.query(lock, [id]).first?.read(Locked.init(owner:reason:))
    }

    /// The lock of endpoints that exist makes a code wait for acts that disable them, and those for the code.
    private static let lockAll =
        "SELECT FROM endpoints WHERE user_id = $1 ORDER BY id FOR NO KEY UPDATE"

    private static let disabledByOperator = """
        SELECT FROM endpoints AS endpoint
        WHERE user_id = $1 AND disabled_at IS NOT NULL AND EXISTS (
            SELECT FROM audit
            WHERE subject = 'endpoint:' || endpoint.id AND action = 'endpoint.disable'
                AND at >= endpoint.disabled_at)
        LIMIT 1
        """

    /// Locks the endpoints of a person. Returns whether an operator has disabled one of them, which the user
    /// has not enabled since.
    package static func lockEndpoints(
        of person: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await connection.query(lockAll, [person])
        return try await !connection.query(disabledByOperator, [person]).isEmpty
    }

    /// The deliveries of an announcement expire after this time.
    private static let awaitsNotice = """
        SELECT FROM audit
        WHERE subject = 'person:' || $1::uuid AND action = 'person.recovery-code'
            AND at > $2::timestamptz - interval '24 hours'
        LIMIT 1
        """

    /// Returns whether the notice of a recovery code can still be on its way to the endpoints of a person.
    package static func awaitsNotice(
        _ person: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await !connection.query(awaitsNotice, [person, now]).isEmpty
    }

    private static let disable =
        "UPDATE endpoints SET disabled_at = $2, reason = $3, reason_code = NULL WHERE id = $1"

    private static let enable = """
        UPDATE endpoints SET disabled_at = NULL, reason = NULL, reason_code = NULL, failing_since = NULL
        WHERE id = $1
        """

    package static func disable(
        _ id: Identifier, because reason: String, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(disable, [id, now, reason])
    }

    package static func enable(_ id: Identifier, on connection: PostgresConnection)
        async throws(PostgresError)
    {
        try await connection.query(enable, [id])
    }
}
