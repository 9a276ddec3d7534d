package import Contract
package import Postgres
import Scheduling

/// The reason for which a delivery is not made again.
package enum ReplayError: Error, Equatable {
    case unknown
    /// It is not over yet.
    case pending
    /// It is too late to be of use.
    case expired
    /// A later delivery has replaced it.
    case superseded
    /// Its endpoint is disabled, for the reason given.
    case disabled(String)
}

/// Makes a delivery again that is over.
package enum DeliveryReplay {
    private static let find = """
        SELECT delivery.settled_at, delivery.expires_at <= $2, endpoint.reason, delivery.outcome
        FROM deliveries AS delivery
        JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
        WHERE delivery.id = $1
        FOR UPDATE OF delivery
        """

    private static let replay = """
        UPDATE deliveries SET settled_at = NULL, outcome = NULL, courier = NULL, attempts = 0, due_at = $2
        WHERE id = $1
        """

    /// Makes the delivery due now, as if it had never been tried, and tells the delivery workers. Throws a
    /// `ReplayError`.
    package static func begin(_ id: Int64, at now: Timestamp, in pool: PostgresPool) async throws {
        try await pool.transaction { connection in try await begin(id, at: now, on: connection) }
        try await pool.withConnection { try await ChangeEvent.send([.notifications], on: $0) }
    }

    /// Makes the delivery due now, in the transaction of the caller, who tells the delivery workers after the
    /// commit.
    package static func begin(_ id: Int64, at now: Timestamp, on connection: PostgresConnection) async throws
    {
        guard let row = try await connection.query(find, [id, now]).first else { throw ReplayError.unknown }
        let (settledAt, hasExpired, reason, outcome) = try row.decode(
            Timestamp?.self, Bool?.self, String?.self, String?.self)
        if settledAt == nil { throw ReplayError.pending }
        if outcome == "superseded" { throw ReplayError.superseded }
        if hasExpired ?? false { throw ReplayError.expired }
        if let reason { throw ReplayError.disabled(reason) }
        try await connection.query(replay, [id, now])
    }
}
