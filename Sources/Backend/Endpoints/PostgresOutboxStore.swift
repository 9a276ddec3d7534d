import Contract
import Outbox
import Postgres
import Reactor

/// One courier's view of the deliveries in the database.
///
/// What is claimed carries the courier's name, and is claimed for as long as the row of that name says that it is
/// alive, by the clock of the database. One courier has one store.
final class PostgresOutboxStore: OutboxStore {
    /// How many rows a claim looks at, for each that it may take: hosts that can take little are passed over.
    private static let prefixFactor = 4
    /// A lease that has come so near to its end counts as over: the courier, which counted from a moment before, may
    /// have given everything up.
    private static let margin = Duration.seconds(1)

    /// For deliveries that are made outside of the courier.
    let name: String
    private let pool: PostgresPool
    private let reader: NotificationReader
    private let now: @Sendable () -> Timestamp
    private let state = Lock(State())

    private struct State {
        /// Claimed, handed out and not settled.
        var held: Set<Int64> = []
        /// Whether more may be claimed in our name than we know of: a claim has failed, perhaps after its commit.
        var isUnsure = false
        var leasedUntil: Timestamp?
    }

    init(
        name: String, pool: PostgresPool, reader: NotificationReader, now: @escaping @Sendable () -> Timestamp
    ) {
        self.name = name
        self.pool = pool
        self.reader = reader
        self.now = now
    }

    // The lease.

    private static let prolong = """
        UPDATE couriers SET alive_until = now() + make_interval(secs => $2)
        WHERE name = $1 AND alive_until > now()
        """

    private static let begin = """
        INSERT INTO couriers (name, alive_until) VALUES ($1, now() + make_interval(secs => $2))
        ON CONFLICT (name) DO UPDATE SET alive_until = excluded.alive_until
        """

    private static let release = """
        UPDATE deliveries SET courier = NULL
        WHERE settled_at IS NULL AND courier = $1 AND id <> ALL ($2::int8[])
        """

    func renew(for lease: Duration) async throws {
        let asked = now()
        let isKept = state.withLock { state in state.leasedUntil.map { asked < $0 } ?? false }
        let seconds = lease.seconds
        var isProlonged = false
        if isKept { isProlonged = try await pool.execute(Self.prolong, [name, seconds]) == 1 }
        if !isProlonged {
            // Who was gone has lost what it had claimed, and begins anew.
            state.withLock { $0.held = [] }
            try await pool.transaction { connection in
                try await connection.query(Self.release, [name, [Int64]()])
                try await connection.query(Self.begin, [name, seconds])
            }
        }
        state.withLock { $0.leasedUntil = asked.adding(lease - Self.margin) }
    }

    /// Lets others have at once what is still claimed. After the courier has ended.
    func resign() async {
        _ = try? await pool.execute("DELETE FROM couriers WHERE name = $1", [name])
    }

    // Claiming.

    /// `$1` name, `$2` now, `$3` bound of hosts that are not named, `$4` limit, `$5` and `$6` named hosts and their
    /// bounds, `$7` rows to look at. A row that another courier has touched meanwhile is left alone.
    private static let take = """
        WITH candidate AS (
            SELECT delivery.id, delivery.priority, delivery.due_at, delivery.courier, endpoint.host
            FROM deliveries AS delivery
            JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
            WHERE delivery.settled_at IS NULL AND delivery.due_at <= $2
                AND (delivery.courier IS NULL OR delivery.courier <> ALL (
                    ARRAY(SELECT name FROM couriers WHERE alive_until > now())))
                AND endpoint.host <> ALL (
                    ARRAY(SELECT host FROM unnest($5::text[], $6::int4[]) AS full_up (host, free) WHERE free <= 0))
                AND EXISTS (SELECT FROM couriers WHERE name = $1 AND alive_until > now())
            ORDER BY delivery.priority, delivery.due_at, delivery.id
            LIMIT $7
        ), ranked AS (
            SELECT candidate.*, row_number() OVER (PARTITION BY host ORDER BY priority, due_at, id) AS place
            FROM candidate
        ), chosen AS (
            SELECT ranked.id, ranked.due_at, ranked.courier
            FROM ranked
            LEFT JOIN unnest($5::text[], $6::int4[]) AS bound (host, free) ON bound.host = ranked.host
            WHERE place <= coalesce(bound.free, $3)
            ORDER BY priority, due_at, id
            LIMIT $4
        ), free AS (
            SELECT delivery.id
            FROM deliveries AS delivery
            JOIN chosen ON chosen.id = delivery.id
            WHERE delivery.settled_at IS NULL AND delivery.due_at = chosen.due_at
                AND delivery.courier IS NOT DISTINCT FROM chosen.courier
            FOR UPDATE OF delivery SKIP LOCKED
        ), claimed AS (
            UPDATE deliveries AS delivery SET courier = $1
            FROM free
            WHERE delivery.id = free.id
            RETURNING delivery.id, delivery.endpoint_id, delivery.notification_id, delivery.attempts,
                delivery.due_at, delivery.expires_at, delivery.priority
        )
        SELECT claimed.id, claimed.notification_id, claimed.attempts, claimed.due_at, claimed.expires_at,
            \(EndpointRow.columns(now: "$2"))
        FROM claimed
        JOIN endpoints AS endpoint ON endpoint.id = claimed.endpoint_id
        ORDER BY claimed.priority, claimed.due_at, claimed.id
        """

    func claim(limit: Int, bounds: HostBounds) async throws -> [Delivery<Letter>] {
        if state.withLock({ $0.isUnsure }) {
            let held = state.withLock { Array($0.held) }
            try await pool.query(Self.release, [name, held])
        }
        state.withLock { $0.isUnsure = true }
        let hosts = bounds.named.keys.sorted()
        let parameters: [any PostgresEncodable] = [
            name, now(), Int64(bounds.others), Int64(limit), hosts,
            hosts.map { Int32(clamping: bounds[$0]) }, Int64(limit * Self.prefixFactor),
        ]
        let claimed = try await pool.transaction { connection in
            try await letters(try await connection.query(Self.take, parameters), on: connection)
        }
        state.withLock { state in
            state.isUnsure = false
            for delivery in claimed { state.held.insert(delivery.id) }
        }
        return claimed
    }

    private struct Claim {
        let id: Int64
        let notification: Int64?
        let attempts: Int
        let dueAt: Timestamp
        let expiresAt: Timestamp?
        let endpoint: EndpointRow

        init(_ row: PostgresRow) throws {
            id = try row.decode(0, Int64.self)
            notification = try row.decode(1, Int64?.self)
            attempts = Int(try row.decode(2, Int16.self))
            dueAt = try row.decode(3, Timestamp.self)
            expiresAt = try row.decode(4, Timestamp?.self)
            endpoint = try EndpointRow(row, from: 5)
        }
    }

    /// With what is to be said, which is read in the same transaction: what cannot be read is not claimed.
    private func letters(
        _ rows: PostgresRows, on connection: PostgresConnection
    ) async throws -> [Delivery<Letter>] {
        let claims = try rows.map { try Claim($0) }
        let ids = Array(Set(claims.compactMap(\.notification)))
        let notifications = ids.isEmpty ? [:] : try await reader.read(ids, on: connection)
        return claims.compactMap { claim in
            let content: Letter.Content
            if let id = claim.notification {
                // One that has gone takes its deliveries with it.
                guard let notification = notifications[id] else { return nil }
                content = .notification(notification)
            } else {
                content = .test(endpoint: claim.endpoint.id, writtenAt: claim.dueAt)
            }
            let letter = Letter(kind: claim.endpoint.kind, target: claim.endpoint.target, content: content)
            return Delivery(
                id: claim.id, endpoint: claim.endpoint.id, host: claim.endpoint.host,
                attempts: claim.attempts, expiresAt: claim.expiresAt, message: letter)
        }
    }

    // Settling.

    func settle(_ settlements: [Settlement]) async throws {
        try await SettlementWriter(courier: name).write(settlements, to: pool)
        state.withLock { state in
            for settlement in settlements { state.held.remove(settlement.delivery) }
        }
    }

    // Waiting.

    /// By priority, so that the index answers each; and when the next of the other couriers may be dead.
    private static let next = """
        SELECT least(
            (SELECT min(first.due_at)
             FROM unnest('{0,1,2}'::int2[]) AS rank (priority)
             CROSS JOIN LATERAL (
                SELECT delivery.due_at
                FROM deliveries AS delivery
                JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
                WHERE delivery.settled_at IS NULL AND delivery.courier IS NULL
                    AND delivery.priority = rank.priority AND endpoint.host <> ALL ($3::text[])
                ORDER BY delivery.due_at
                LIMIT 1) AS first),
            (SELECT $2::timestamptz + (min(alive_until) - now())
             FROM couriers WHERE name <> $1 AND alive_until > now()))
        """

    func nextDue(bounds: HostBounds) async throws -> Timestamp? {
        let full = bounds.named.filter { $0.value <= 0 }.keys.sorted()
        return try await pool.query(Self.next, [name, now(), full], retrying: true).first?
            .decode(0, Timestamp?.self)
    }

    /// A delivery that is made outside of the courier, in its name.
    func hold(_ delivery: Int64) { state.withLock { state in _ = state.held.insert(delivery) } }
}

extension Duration {
    var seconds: Double {
        let (whole, rest) = components
        return Double(whole) + Double(rest) / 1e18
    }
}
