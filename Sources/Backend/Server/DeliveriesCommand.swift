import Contract
import Database
import Logging
import Postgres
import Reactor
import Scheduling
import Settings

/// `letsswitch-server deliveries`, which lists the outcomes of deliveries for an operator.
struct DeliveriesCommand: Sendable {
    /// The number of deliveries that are listed, the latest first.
    private static let count: Int64 = 100

    let configuration: ServerConfiguration
    let request: DeliveriesRequest

    private static let list = """
        SELECT delivery.id, coalesce(notice.type, 'test'), endpoint.kind, endpoint.host, delivery.due_at,
            delivery.attempts,
            coalesce(delivery.outcome, CASE WHEN delivery.attempts > 0 THEN 'retried' ELSE 'waiting' END),
            coalesce(latest.detail, '')
        FROM deliveries AS delivery
        JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
        LEFT JOIN notifications AS notice ON notice.id = delivery.notification_id
        LEFT JOIN LATERAL (
            SELECT attempt.detail FROM attempts AS attempt
            WHERE attempt.endpoint_id = delivery.endpoint_id AND attempt.delivery_id = delivery.id
            ORDER BY attempt.id DESC
            LIMIT 1) AS latest ON true
        WHERE NOT $1 OR delivery.outcome IN ('exhausted', 'refused', 'expired', 'gone')
            OR (delivery.settled_at IS NULL AND delivery.attempts > 0)
        ORDER BY delivery.id DESC
        LIMIT $2
        """

    private static let find = """
        SELECT delivery.settled_at, delivery.expires_at <= $2, endpoint.reason
        FROM deliveries AS delivery
        JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
        WHERE delivery.id = $1
        FOR UPDATE OF delivery
        """

    private static let replay = """
        UPDATE deliveries SET settled_at = NULL, outcome = NULL, courier = NULL, attempts = 0, due_at = $2
        WHERE id = $1
        """

    /// Returns the lines for standard output. Throws `StartFailure` if there is nothing to replay.
    func run() async throws -> [String] {
        let group = try EventLoopGroup(count: 1, name: "deliveries")
        defer { group.shutdown() }
        let database = try await OpenedDatabase.openToRead(configuration, on: group.loops[0])
        let pool = PostgresPool(database.configuration, on: group.loops[0])
        let lines: Result<[String], any Error>
        do {
            lines = .success(try await work(on: pool))
        } catch {
            lines = .failure(error)
        }
        await pool.shutdown()
        await database.close()
        return try lines.get()
    }

    private func work(on pool: PostgresPool) async throws -> [String] {
        switch request {
        case .latest: try await list(onlyFailing: false, on: pool)
        case .failing: try await list(onlyFailing: true, on: pool)
        case .replay(let id): [try await replay(id, at: try await Self.now(on: pool), on: pool)]
        }
    }

    private static func now(on pool: PostgresPool) async throws -> Timestamp {
        let clock = ReferenceClock()
        try await clock.begin(on: pool)
        return clock.now()
    }

    private func list(onlyFailing: Bool, on pool: PostgresPool) async throws -> [String] {
        try await pool.query(Self.list, [onlyFailing, Self.count]).map { row in
            let (id, type, kind, host) = try row.decode(Int64.self, String.self, String.self, String.self)
            let (dueAt, attempts) = (try row.decode(4, Timestamp.self), try row.decode(5, Int16.self))
            let (outcome, detail) = (try row.decode(6, String.self), try row.decode(7, String.self))
            return Log.escaped(
                "\(id)  \(dueAt)  \(type)  \(kind)  \(host)  \(attempts)  \(outcome)  \(detail)")
        }
    }

    func replay(_ id: Int64, at now: Timestamp, on pool: PostgresPool) async throws -> String {
        try await pool.transaction { connection in
            guard let row = try await connection.query(Self.find, [id, now]).first else {
                throw StartFailure("There is no delivery \(id).")
            }
            guard try row.decode(0, Timestamp?.self) != nil else {
                throw StartFailure("Delivery \(id) is not over yet.")
            }
            if try row.decode(1, Bool?.self) ?? false {
                throw StartFailure("Delivery \(id) has lost its point, and would not be sent.")
            }
            if let reason = try row.decode(2, String?.self) {
                throw StartFailure("The endpoint of delivery \(id) is disabled: \(reason).")
            }
            try await connection.query(Self.replay, [id, now])
        }
        try await pool.withConnection { try await ChangeEvent.send([.notifications], on: $0) }
        return "Delivery \(id) is made again."
    }
}
