package import Contract
package import Postgres
import Reactor

/// Looks after the deliveries to hosts that do not answer, where hardly anything is attempted: deliveries
/// expire, and endpoints fail with their host.
package enum StaleDeliveries {
    /// The time after which a notification without an expiry of its own is expired; a delivery that is due
    /// later has as long from then.
    static let longestUse = Duration.seconds(5 * 24 * 3600)
    /// The time for which a delivery worker that holds a delivery may still be settling it.
    private static let margin = Duration.seconds(60)
    /// The number of rows in one transaction.
    private static let batch: Int64 = 1_000

    private static let expire = """
        WITH stale AS (
            SELECT delivery.id
            FROM deliveries AS delivery
            LEFT JOIN notifications AS notice ON notice.id = delivery.notification_id
            WHERE delivery.settled_at IS NULL
                AND (delivery.courier IS NULL OR delivery.courier <> ALL (
                    ARRAY(SELECT name FROM couriers WHERE alive_until > now())))
                AND coalesce(delivery.expires_at, notice.created_at + make_interval(secs => $3)) < $2
                AND (delivery.expires_at IS NOT NULL OR delivery.due_at + make_interval(secs => $3) < $2)
            ORDER BY delivery.id
            LIMIT $4
            FOR UPDATE OF delivery SKIP LOCKED
        ), settled AS (
            UPDATE deliveries SET settled_at = $1, outcome = 'expired', courier = NULL
            WHERE id IN (SELECT id FROM stale)
            RETURNING id, endpoint_id
        ), \(SettlementWriter.lockedEndpoints)
        INSERT INTO attempts (delivery_id, endpoint_id, at, outcome, detail)
        SELECT id, endpoint_id, $1, 'expired', 'its host did not answer as long as it was of use'
        FROM settled
        WHERE \(SettlementWriter.locking)
        ORDER BY id
        """

    private static let hopeless = Text(.failing, "its host does not answer")

    /// Disables the endpoints of silent hosts, but not of push services, whose silence is no fault of the
    /// endpoints. A delivery that has waited for days shows that the host was silent on each of them, as
    /// attempts do.
    private static let judge = """
        WITH sick AS (
            SELECT endpoint.id,
                CASE WHEN endpoint.failing_since + make_interval(secs => $3) <= $1
                    THEN waiting.since <= $1::timestamptz
                        - make_interval(days => \(SettlementWriter.daysBefore))
                        OR \(SettlementWriter.failingDays(before: "$1::timestamptz"))
                            >= \(SettlementWriter.daysBefore)
                    ELSE false END AS is_hopeless
            FROM endpoints AS endpoint
            CROSS JOIN LATERAL (
                SELECT min(due_at) AS since
                FROM deliveries
                WHERE endpoint_id = endpoint.id AND settled_at IS NULL AND due_at <= $1
            ) AS waiting
            WHERE endpoint.host = ANY ($2::text[]) AND endpoint.kind = 'webhook'
                AND endpoint.disabled_at IS NULL AND waiting.since IS NOT NULL
            ORDER BY endpoint.id
            FOR NO KEY UPDATE OF endpoint
        )
        UPDATE endpoints AS endpoint
        SET failing_since = coalesce(failing_since, $1),
            disabled_at = CASE WHEN is_hopeless THEN $1 END,
            reason = CASE WHEN is_hopeless THEN '\(hopeless)' END,
            reason_code = CASE WHEN is_hopeless THEN '\(hopeless.stored ?? "")' END
        FROM sick
        WHERE endpoint.id = sick.id AND (failing_since IS NULL OR is_hopeless)
        RETURNING endpoint.id, endpoint.disabled_at
        """

    /// Settles expired deliveries. `silent` are the hosts that do not answer at the moment: only their
    /// endpoints are judged, so that nothing counts against an endpoint while this server was away itself.
    package static func settle(at now: Timestamp, silent: [String], in pool: PostgresPool) async throws {
        if !silent.isEmpty { try await judge(silent, at: now, in: pool) }
        let before = now.adding(.zero - margin)
        _ = try await pool.executeAll(
            expire, [now, before, longestUse.inSeconds], batch: batch)
    }

    /// See `SettlementWriter.lockOwners`.
    private static let lockOwners = """
        SELECT FROM accounts WHERE id IN (
            SELECT user_id FROM endpoints
            WHERE host = ANY ($1::text[]) AND kind = 'webhook' AND failing_since IS NOT NULL
                AND disabled_at IS NULL)
        ORDER BY id
        FOR KEY SHARE
        """

    private static func judge(_ hosts: [String], at now: Timestamp, in pool: PostgresPool) async throws {
        try await pool.transaction(attempts: 3) { connection in
            try await connection.query(lockOwners, [hosts])
            let changed = try await connection.query(
                judge, [now, hosts, SettlementWriter.patience.inSeconds])
            try await SettlementWriter.end(changed, on: connection)
        }
    }
}
