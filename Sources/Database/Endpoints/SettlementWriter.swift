import Contract
package import Outbox
package import Postgres
import Reactor

/// Stores the outcomes of attempts, and the state of the endpoints.
package enum SettlementWriter {
    /// The time after which an endpoint where every attempt has failed is disabled, if some attempt has
    /// failed on each of as many days: two short outages in different weeks are not five days of failures.
    package static let patience = Duration.seconds(5 * 24 * 3600)
    static let daysBefore = 4
    private static let longestDetail = 300

    /// Returns SQL for the number of days before that of the instant on which some attempt failed, since the
    /// endpoint has been failing.
    static func failingDays(before instant: String, _ condition: String = "true") -> String {
        """
        (SELECT count(DISTINCT (attempt.at AT TIME ZONE 'UTC')::date)
        FROM attempts AS attempt
        WHERE attempt.endpoint_id = endpoint.id AND attempt.at >= endpoint.failing_since
            AND attempt.at < date_trunc('day', \(instant), 'UTC')
            AND attempt.outcome IN ('retried', 'exhausted', 'expired') AND \(condition))
        """
    }

    /// SQL that locks the endpoints of settled deliveries in the order of their ids. The foreign key of
    /// `attempts` would lock them in the order of the attempts, and the deletion of an account locks all of
    /// its endpoints: each could wait for the other. A part of the statement with the condition `locking`
    /// locks and writes nothing before that.
    static let lockedEndpoints = """
        locked AS (
            SELECT endpoint.id FROM endpoints AS endpoint
            WHERE endpoint.id IN (SELECT endpoint_id FROM settled)
            ORDER BY endpoint.id
            FOR KEY SHARE
        )
        """
    static let locking = "(SELECT count(*) FROM locked) > 0"

    private static let settle = """
        WITH settlement AS (
            SELECT *
            FROM unnest($2::int8[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::float8[],
                $7::text[],
                $9::bool[], $10::text[])
                AS settlement (id, outcome, due_at, at, seconds, detail, counts, code)
        ), settled AS (
            UPDATE deliveries AS delivery
            SET courier = NULL,
                attempts = delivery.attempts + CASE WHEN settlement.seconds IS NULL THEN 0 ELSE 1 END,
                due_at = coalesce(settlement.due_at, delivery.due_at),
                settled_at = CASE WHEN settlement.outcome NOT IN ('retried', 'postponed')
                    THEN settlement.at END,
                outcome = CASE WHEN settlement.outcome NOT IN ('retried', 'postponed')
                    THEN settlement.outcome END
            FROM settlement
            WHERE delivery.id = settlement.id AND delivery.courier = $1 AND delivery.settled_at IS NULL
            RETURNING delivery.id, delivery.endpoint_id, settlement.outcome, settlement.at,
                settlement.seconds,
                settlement.detail, settlement.counts, settlement.code
        ), \(lockedEndpoints), kept AS (
            INSERT INTO attempts (delivery_id, endpoint_id, at, seconds, outcome, detail, detail_code)
            SELECT id, endpoint_id, at, seconds, outcome, detail, code
            FROM settled
            WHERE outcome <> 'postponed' AND \(locking)
            ORDER BY at, id
        ), judged AS (
            SELECT *, counts AND outcome IN ('retried', 'exhausted', 'expired')
                AND seconds IS NOT NULL AS failed
            FROM settled
        ), health AS (
            SELECT endpoint_id, bool_or(outcome = 'delivered') AS went_well,
                max(at) FILTER (WHERE outcome = 'gone') AS gone_at,
                min(detail) FILTER (WHERE outcome = 'gone') AS farewell,
                (array_agg(code ORDER BY detail) FILTER (WHERE outcome = 'gone'))[1] AS farewell_code,
                max(at) FILTER (WHERE failed) AS failed_at,
                min(detail) FILTER (WHERE failed) AS complaint,
                (array_agg(code ORDER BY detail) FILTER (WHERE failed))[1] AS complaint_code
            FROM judged
            GROUP BY endpoint_id
        ), sick AS (
            SELECT endpoint.id, health.*,
                endpoint.failing_since,
                CASE WHEN NOT went_well AND failed_at - endpoint.failing_since >= make_interval(secs => $8)
                    THEN \(failingDays(before: "failed_at", "attempt.seconds IS NOT NULL")) >= \(daysBefore)
                    ELSE false END AS is_hopeless
            FROM health
            JOIN endpoints AS endpoint ON endpoint.id = health.endpoint_id
            WHERE endpoint.disabled_at IS NULL AND \(locking)
                AND (gone_at IS NOT NULL OR failed_at IS NOT NULL OR endpoint.failing_since IS NOT NULL)
            ORDER BY endpoint.id
            FOR NO KEY UPDATE OF endpoint
        )
        UPDATE endpoints AS endpoint
        SET failing_since = CASE WHEN went_well THEN NULL
                ELSE coalesce(sick.failing_since, failed_at, gone_at) END,
            disabled_at = coalesce(gone_at, CASE WHEN is_hopeless THEN failed_at END),
            reason = CASE WHEN gone_at IS NOT NULL THEN farewell
                WHEN is_hopeless THEN '\(Text(.failing))' || complaint END,
            reason_code = CASE WHEN gone_at IS NOT NULL THEN farewell_code
                WHEN is_hopeless
                THEN '\(DetailCode.failing)/' || coalesce(complaint_code, complaint) END
        FROM sick
        WHERE endpoint.id = sick.id
            AND (gone_at IS NOT NULL OR is_hopeless
                OR (went_well AND sick.failing_since IS NOT NULL)
                OR (NOT went_well AND sick.failing_since IS NULL AND failed_at IS NOT NULL))
        RETURNING endpoint.id, endpoint.disabled_at
        """

    /// Settles all other pending deliveries of an endpoint that has ended.
    private static let abandon = """
        UPDATE deliveries SET settled_at = $2, outcome = 'gone', courier = NULL
        WHERE endpoint_id = ANY ($1::uuid[]) AND settled_at IS NULL
        """

    /// Delays the deliveries that wait for endpoints whose receivers answered with errors: by the pause that
    /// the receiver asks for, and at least by the time for which the endpoint has been failing, up to five
    /// minutes (ten seconds for urgent ones). Parameters: `$1` endpoints, `$2` instants, `$3` seconds asked
    /// for.
    private static let hold = """
        UPDATE deliveries AS delivery
        SET due_at = failure.at + greatest(
            make_interval(secs => failure.seconds),
            least(coalesce(failure.at - endpoint.failing_since, '0'),
                make_interval(secs => CASE WHEN delivery.priority <= 0 THEN 10 ELSE 300 END)))
        FROM (
            SELECT endpoint_id, max(at) AS at, max(seconds) AS seconds
            FROM unnest($1::uuid[], $2::timestamptz[], $3::float8[]) AS failure (endpoint_id, at, seconds)
            GROUP BY endpoint_id
        ) AS failure
        JOIN endpoints AS endpoint ON endpoint.id = failure.endpoint_id
        WHERE delivery.endpoint_id = endpoint.id AND delivery.settled_at IS NULL
            AND delivery.courier IS NULL AND delivery.due_at <= failure.at
            AND (failure.seconds > 0 OR endpoint.failing_since < failure.at)
        """

    private static let registrations = """
        SELECT id, coalesce(registered_at, created_at) FROM endpoints
        WHERE id = ANY ($1::uuid[])
        ORDER BY id
        FOR NO KEY UPDATE
        """

    /// Returns the settlements; a farewell of an endpoint that was registered again since its attempt was
    /// claimed becomes a retry. Locks the endpoints, so that they stay as they are until the commit.
    private static func current(
        _ settlements: [Settlement], on connection: PostgresConnection
    ) async throws(PostgresError) -> [Settlement] {
        let gone = settlements.filter { $0.verdict == .gone && $0.registeredAt != nil }
        if gone.isEmpty { return settlements }
        let registrations: [Identifier: Timestamp] = try await connection.query(
            registrations, [gone.map(\.endpoint)]
        ).dictionary()
        return settlements.map { settlement in
            guard settlement.verdict == .gone, let known = settlement.registeredAt,
                let current = registrations[settlement.endpoint], current != known
            else { return settlement }
            return settlement.retried(at: settlement.at)
        }
    }

    /// Locks the owners of endpoints that an attempt may end: the notice to an owner refers to the account,
    /// which writers of the account lock before its endpoints.
    static let lockOwners = """
        SELECT FROM accounts WHERE id IN (SELECT user_id FROM endpoints WHERE id = ANY ($1::uuid[]))
        ORDER BY id
        FOR KEY SHARE
        """

    /// Writes all settlements of a delivery worker or none. Deliveries that it no longer holds are passed
    /// over.
    package static func write(
        _ settlements: [Settlement], of deliveryWorker: String, to pool: PostgresPool
    ) async throws {
        try await pool.transaction(attempts: 3) { connection in
            let failed = settlements.filter { $0.verdict != .delivered }
            if !failed.isEmpty { try await connection.query(lockOwners, [failed.map(\.endpoint)]) }
            try await write(
                try await current(settlements, on: connection), of: deliveryWorker, on: connection)
        }
    }

    private static func write(
        _ settlements: [Settlement], of deliveryWorker: String, on connection: PostgresConnection
    ) async throws {
        let parameters: [any PostgresEncodable] = [
            deliveryWorker, settlements.map(\.delivery), settlements.map { outcome(of: $0.verdict) },
            settlements.map(\.verdict.dueAt), settlements.map(\.at),
            settlements.map { $0.duration.map { max(0, $0.inSeconds) } },
            settlements.map { line($0.detail.description) }, patience.inSeconds,
            settlements.map(\.countsAgainstEndpoint), settlements.map { $0.detail.stored.map(line) },
        ]
        let changed = try await connection.query(settle, parameters)
        let failures = settlements.filter { $0.askedPause != nil }
        if !failures.isEmpty {
            let seconds = failures.map { $0.askedPause?.inSeconds ?? 0 }
            try await connection.query(
                hold, [failures.map(\.endpoint), failures.map(\.at), seconds])
        }
        try await end(changed, on: connection)
    }

    /// Settles the other deliveries of the endpoints that a statement has disabled, and notifies their
    /// owners. Each row has the id of an endpoint, and when it was disabled, if it was.
    static func end(_ changed: PostgresRows, on connection: PostgresConnection) async throws(PostgresError) {
        var ended: [Identifier] = []
        var latest: Timestamp?
        for row in changed {
            guard let at = try row.decode(1, Timestamp?.self) else { continue }
            ended.append(try row.decode(0, Identifier.self))
            latest = max(latest ?? at, at)
        }
        guard let latest else { return }
        try await connection.query(abandon, [ended, latest])
        try await DisabledEndpoints.tell(ended, at: latest, on: connection)
    }

    package static func outcome(of verdict: Verdict) -> String {
        switch verdict {
        case .delivered: "delivered"
        case .retry: "retried"
        case .postponed, .deferred: "postponed"
        case .exhausted: "exhausted"
        case .refused: "refused"
        case .expired: "expired"
        case .gone: "gone"
        }
    }

    /// Returns the detail as one line of text that the database accepts.
    private static func line(_ detail: String) -> String {
        String(
            String.UnicodeScalarView(
                detail.unicodeScalars.prefix(longestDetail).map { $0.value < 0x20 ? " " : $0 }))
    }
}
