import Contract
import Outbox
import Postgres
import Reactor

/// One courier's view of the deliveries in the database.
///
/// What is claimed carries the courier's name, and is claimed for as long as the row of that name says that it is
/// alive, by the clock of the database. One courier has one store.
final class PostgresOutboxStore: OutboxStore {
    /// How many rows a claim looks at at most, for each that it may take: hosts that can take little are passed over.
    private static let prefixFactor = 4
    /// A lease that has come so near to its end counts as over: the courier, which counted from a moment before, may
    /// have given everything up.
    private static let margin = Duration.seconds(1)

    private let name: String
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

    @discardableResult
    func renew(for lease: Duration) async throws -> Bool {
        let asked = now()
        let isKept = state.withLock { state in state.leasedUntil.map { asked < $0 } ?? false }
        let seconds = lease.seconds
        var isProlonged = false
        if isKept { isProlonged = try await pool.execute(Self.prolong, [name, seconds]) == 1 }
        if !isProlonged { try await beginAnew(seconds) }
        state.withLock { $0.leasedUntil = asked.adding(lease - Self.margin) }
        return isProlonged
    }

    /// Who was gone has lost what it had claimed.
    private func beginAnew(_ seconds: Double) async throws {
        let hasLost = state.withLock { state in
            if !state.held.isEmpty { state.isUnsure = true }
            state.held = []
            return state.isUnsure
        }
        guard hasLost else {
            try await pool.execute(Self.begin, [name, seconds])
            return
        }
        try await pool.transaction { connection in
            try await connection.query(Self.release, [name, [Int64]()])
            try await connection.query(Self.begin, [name, seconds])
        }
        state.withLock { $0.isUnsure = false }
    }

    /// Lets others have at once what is still claimed. After the courier has ended.
    func resign() async {
        _ = try? await pool.execute("DELETE FROM couriers WHERE name = $1", [name])
    }

    // Claiming.

    /// `$1` name, `$2` now, `$3` hosts that can take nothing, `$4` rows to look at, `$5` hosts that can take what is urgent.
    private static let look = """
        SELECT delivery.id, endpoint.host, delivery.courier
        FROM deliveries AS delivery
        JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
        WHERE delivery.settled_at IS NULL AND delivery.due_at <= $2
            AND (delivery.courier IS NULL OR delivery.courier <> ALL (
                ARRAY(SELECT name FROM couriers WHERE alive_until > now())))
            AND endpoint.host <> ALL ($3::text[])
            AND (delivery.priority <= 0 OR endpoint.host <> ALL ($5::text[]))
            AND EXISTS (SELECT FROM couriers WHERE name = $1 AND alive_until > now())
        ORDER BY delivery.priority, delivery.due_at, delivery.id
        LIMIT $4
        """

    /// `$1` name, `$2` now, `$3` ids, `$4` dead couriers that had claimed some of them. Arrays, so that no plan compares
    /// all rows with all. A row that another courier has touched meanwhile is left alone.
    private static let take = """
        WITH free AS (
            SELECT id FROM deliveries
            WHERE id = ANY ($3::int8[]) AND settled_at IS NULL AND due_at <= $2
                AND (courier IS NULL OR courier = ANY ($4::text[]) AND courier <> ALL (
                    ARRAY(SELECT name FROM couriers WHERE alive_until > now())))
            FOR UPDATE SKIP LOCKED
        ), claimed AS (
            UPDATE deliveries SET courier = $1
            WHERE id = ANY (ARRAY(SELECT id FROM free))
            RETURNING id, endpoint_id, notification_id, attempts, due_at, expires_at, priority
        )
        SELECT claimed.id, claimed.notification_id, claimed.attempts, claimed.due_at, claimed.expires_at,
            claimed.priority,
            \(EndpointRow.columns(now: "$2"))
        FROM claimed
        JOIN endpoints AS endpoint ON endpoint.id = claimed.endpoint_id
        ORDER BY claimed.priority, claimed.due_at, claimed.id
        """

    func claim(limit: Int, bounds: HostBounds) async throws -> [Delivery<Letter>] {
        if state.withLock({ $0.isUnsure }) {
            let held = state.withLock { Array($0.held) }
            try await pool.query(Self.release, [name, held])
            state.withLock { $0.isUnsure = false }
        }
        let choice = try await choose(limit, bounds)
        if choice.ids.isEmpty { return [] }
        state.withLock { $0.isUnsure = true }
        let claimed = try await pool.withConnection { connection in
            try await letters(
                try await connection.query(Self.take, [name, now(), choice.ids, choice.dead.sorted()]),
                on: connection)
        }
        state.withLock { state in
            state.isUnsure = false
            for delivery in claimed.deliveries { state.held.insert(delivery.id) }
        }
        await refuse(claimed.unreadable)
        return claimed.deliveries
    }

    /// What this server cannot read, of a later version perhaps, must not keep it from all the rest.
    private func refuse(_ deliveries: [Unreadable]) async {
        if deliveries.isEmpty { return }
        let settlements = deliveries.map { delivery in
            Settlement(
                delivery: delivery.id, endpoint: delivery.endpoint, verdict: .refused,
                detail: "the server cannot read this", at: now(), duration: nil)
        }
        do {
            try await settle(settlements)
            Log.warning("deliveries were refused that cannot be read", ["count": deliveries.count])
        } catch {
            // They are given back with the next claim.
            state.withLock { $0.isUnsure = true }
        }
    }

    /// What is due, and may be taken. Others may be quicker.
    private struct Choice {
        var ids: [Int64] = []
        /// Who had claimed some of it, and is dead.
        var dead: Set<String> = []
    }

    /// Further down where the first rows are of hosts that can take little.
    private func choose(_ limit: Int, _ bounds: HostBounds) async throws(PostgresError) -> Choice {
        let full = bounds.named.filter { $0.value <= 0 }.keys.sorted()
        var count = limit
        while true {
            let rows = try await pool.query(
                Self.look, [name, now(), full, Int64(count), bounds.urgentOnly.sorted()])
            let choice = try Self.choice(of: rows, limit, bounds)
            if rows.count < count || choice.ids.count >= limit / 2 || count > limit { return choice }
            count = limit * Self.prefixFactor
        }
    }

    private static func choice(
        of rows: PostgresRows, _ limit: Int, _ bounds: HostBounds
    ) throws(PostgresError) -> Choice {
        var choice = Choice()
        var taken: [String: Int] = [:]
        for row in rows where choice.ids.count < limit {
            let host = try row.decode(1, String.self)
            guard taken[host, default: 0] < bounds[host] else { continue }
            taken[host, default: 0] += 1
            choice.ids.append(try row.decode(0, Int64.self))
            if let courier = try row.decode(2, String?.self) { choice.dead.insert(courier) }
        }
        return choice
    }

    private struct Unreadable {
        let id: Int64
        let endpoint: UUID
    }

    private struct Claimed {
        var deliveries: [Delivery<Letter>] = []
        var unreadable: [Unreadable] = []
    }

    private struct Claim {
        let id: Int64
        let notification: Int64?
        let attempts: Int
        let dueAt: Timestamp
        let expiresAt: Timestamp?
        let priority: Int
        let endpoint: EndpointRow

        init(_ row: PostgresRow) throws {
            id = try row.decode(0, Int64.self)
            notification = try row.decode(1, Int64?.self)
            attempts = Int(try row.decode(2, Int16.self))
            dueAt = try row.decode(3, Timestamp.self)
            expiresAt = try row.decode(4, Timestamp?.self)
            priority = Int(try row.decode(5, Int16.self))
            endpoint = try EndpointRow(row, from: 6)
        }
    }

    /// With what is to be said.
    private func letters(_ rows: PostgresRows, on connection: PostgresConnection) async throws -> Claimed {
        var claimed = Claimed()
        var claims: [Claim] = []
        for row in rows {
            do {
                claims.append(try Claim(row))
            } catch {
                claimed.unreadable.append(
                    Unreadable(id: try row.decode(0, Int64.self), endpoint: try row.decode(6, UUID.self)))
            }
        }
        let ids = Array(Set(claims.compactMap(\.notification)))
        let notifications = ids.isEmpty ? [:] : try await reader.read(ids, on: connection)
        for claim in claims {
            let content: Letter.Content
            if let id = claim.notification {
                guard let notification = notifications[id] else {
                    claimed.unreadable.append(Unreadable(id: claim.id, endpoint: claim.endpoint.id))
                    continue
                }
                content = .notification(notification)
            } else {
                content = .test(endpoint: claim.endpoint.id, writtenAt: claim.dueAt)
            }
            let letter = Letter(kind: claim.endpoint.kind, target: claim.endpoint.target, content: content)
            claimed.deliveries.append(
                Delivery(
                    id: claim.id, endpoint: claim.endpoint.id, host: claim.endpoint.host,
                    priority: claim.priority, attempts: claim.attempts, expiresAt: claim.expiresAt,
                    message: letter))
        }
        return claimed
    }

    // Settling.

    func settle(_ settlements: [Settlement]) async throws {
        try await SettlementWriter(courier: name).write(settlements, to: pool)
        state.withLock { state in
            for settlement in settlements { state.held.remove(settlement.delivery) }
        }
    }

    // Waiting.

    /// By priority, so that the index answers each, what dead couriers had claimed with it; and when the next of the
    /// other couriers may be dead.
    private static let next = """
        SELECT least(
            (SELECT min(first.due_at)
             FROM unnest('{0,1,2}'::int2[]) AS rank (priority)
             CROSS JOIN LATERAL (
                SELECT delivery.due_at
                FROM deliveries AS delivery
                JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
                WHERE delivery.settled_at IS NULL
                    AND (delivery.courier IS NULL OR delivery.courier <> ALL (
                        ARRAY(SELECT name FROM couriers WHERE alive_until > now())))
                    AND delivery.priority = rank.priority AND endpoint.host <> ALL ($3::text[])
                    AND ($4 OR endpoint.host = ANY ($5::text[]))
                    AND (rank.priority <= 0 OR endpoint.host <> ALL ($6::text[]))
                ORDER BY delivery.due_at
                LIMIT 1) AS first),
            (SELECT $2::timestamptz + (min(alive_until) - now())
             FROM couriers WHERE name <> $1 AND alive_until > now()))
        """

    func nextDue(bounds: HostBounds) async throws -> Timestamp? {
        let full = bounds.named.filter { $0.value <= 0 }.keys.sorted()
        let open = bounds.others > 0 ? [] : bounds.named.filter { $0.value > 0 }.keys.sorted()
        let parameters: [any PostgresEncodable] = [
            name, now(), full, bounds.others > 0, open, bounds.urgentOnly.sorted(),
        ]
        return try await pool.query(Self.next, parameters, retrying: true).first?
            .decode(0, Timestamp?.self)
    }
}

extension Duration {
    var seconds: Double {
        let (whole, rest) = components
        return Double(whole) + Double(rest) / 1e18
    }
}
