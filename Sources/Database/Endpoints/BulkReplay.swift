package import Contract
import Outbox
package import Postgres
package import Settings

/// Makes the failed deliveries of a host or of an endpoint due again, in steps of bounded work.
///
/// Replayed deliveries have the lowest priority, and the smallest part of a claim. Deliveries that
/// have expired, that a later one has replaced, or whose endpoint is disabled are left out.
package struct BulkReplay: Sendable {
    /// The number of settled deliveries that a step reads.
    package static let stepSize = 5_000
    /// A step changes nothing while this many replayed deliveries are due: the claims of all delivery workers
    /// read past them.
    package static let mostWaiting = 5_000
    static let priority = ClaimBounds.replayed

    /// The last delivery that a step has read.
    package typealias Position = DeskCursor<Int64>

    package struct Step: Sendable {
        /// The number of deliveries that are due again.
        package var deliveries = 0
        /// The number of failed deliveries that are left out, since their endpoints are disabled.
        package var disabled = 0
        /// The position after which the next step continues; nil: nothing is left.
        package var next: Position?
        /// Whether nothing was done, since `mostWaiting` replayed deliveries wait.
        package var isFull = false
    }

    private let failed: FailedDeliveries
    package let until: Timestamp
    private let audit: AuditLog
    /// The name of the operator, and the id of the request, for the audit log.
    private let origin: (name: String, request: String)

    package init(
        _ failed: FailedDeliveries, at now: Timestamp, by name: String, requestID: String, audit: AuditLog
    ) {
        self.failed = failed
        // With a later end it would replay again what fails again.
        until = min(failed.until ?? now, now)
        self.audit = audit
        origin = (name, requestID)
    }

    private static let isKnown = "SELECT FROM endpoints WHERE host = $1 OR id = $2 LIMIT 1"

    private static let waiting = """
        SELECT count(*) FROM (
            SELECT FROM deliveries WHERE settled_at IS NULL AND priority = \(priority) AND due_at <= $1
            LIMIT \(mostWaiting)) AS replayed
        """

    /// Parameters: `$1` and `$2` position, `$3` until, `$4` host, `$5` endpoint, `$6` now.
    private static let replay = """
        WITH looked AS MATERIALIZED (
            SELECT id, endpoint_id, notification_id, settled_at, outcome, expires_at FROM deliveries
            WHERE settled_at >= $1 AND settled_at <= $3 AND (settled_at, id) > ($1, $2)
            ORDER BY settled_at, id
            LIMIT \(stepSize)
        ), failed AS MATERIALIZED (
            SELECT delivery.id, endpoint.disabled_at IS NOT NULL AS is_disabled
            FROM looked
            JOIN endpoints AS endpoint ON endpoint.id = looked.endpoint_id
                AND (endpoint.host = $4 OR endpoint.id = $5)
                AND EXISTS (SELECT FROM accounts WHERE accounts.id = endpoint.user_id)
            JOIN deliveries AS delivery ON delivery.id = looked.id
                AND delivery.settled_at = looked.settled_at
            WHERE looked.notification_id IS NOT NULL
                AND looked.outcome IN ('exhausted', 'refused', 'expired', 'gone')
                AND (looked.expires_at IS NULL OR looked.expires_at > $6)
            FOR UPDATE OF delivery SKIP LOCKED
        ), replayed AS (
            UPDATE deliveries
            SET settled_at = NULL, outcome = NULL, courier = NULL, attempts = 0, due_at = $6,
                priority = \(priority)
            FROM failed
            WHERE deliveries.id = failed.id AND NOT failed.is_disabled
            RETURNING deliveries.id
        )
        SELECT (SELECT count(*) FROM replayed), (SELECT count(*) FROM failed WHERE is_disabled),
            (SELECT count(*) FROM looked), last.settled_at, last.id
        FROM (VALUES (1)) AS one
        LEFT JOIN (
            SELECT settled_at, id FROM looked ORDER BY settled_at DESC, id DESC LIMIT 1) AS last ON true
        """

    /// Makes deliveries due that ended after the position, or after `since` at the first step. The caller
    /// notifies the delivery workers. Throws `ReplayError.unknown` if there is no such host or endpoint.
    package func step(
        after position: Position?, at now: Timestamp, in pool: PostgresPool
    ) async throws -> Step {
        try await pool.transaction(attempts: 3) { connection in
            let (host, endpoint): (String?, Identifier?) =
                switch failed.target {
                case .host(let host): (host, nil)
                case .endpoint(let id): (nil, id)
                }
            if position == nil, try await connection.query(Self.isKnown, [host, endpoint]).isEmpty {
                throw ReplayError.unknown
            }
            let waiting = try await connection.query(Self.waiting, [now])[0].decode(0, Int64.self)
            if waiting >= Int64(Self.mostWaiting) { return Step(next: position, isFull: true) }
            let begin = position ?? Position(failed.since, 0)
            let row = try await connection.query(
                Self.replay, [begin.time, begin.id, until, host, endpoint, now])[0]
            let (deliveries, disabled, looked, settledAt, id) = try row.decode(
                Int64.self, Int64.self, Int64.self, Timestamp?.self, Int64?.self)
            var step = Step(deliveries: Int(deliveries), disabled: Int(disabled))
            if looked == Int64(Self.stepSize), let settledAt, let id { step.next = Position(settledAt, id) }
            // Without operators there is no log.
            if position == nil || deliveries > 0, try await OperatorAccounts.exist(on: connection) {
                try await audit.write(entry(deliveries), at: now, on: connection)
            }
            return step
        }
    }

    private func entry(_ deliveries: Int64) -> AuditEntry {
        let subject =
            switch failed.target {
            case .host(let host): "host:\(host)"
            case .endpoint(let id): "endpoint:\(id)"
            }
        let after: JSONValue = [
            "since": .string("\(failed.since)"), "until": .string("\(until)"),
            "deliveries": .integer(Int(deliveries)),
        ]
        return AuditEntry(
            by: origin.name, action: "deliveries.replay", subject: subject, after: after,
            requestID: origin.request)
    }
}
