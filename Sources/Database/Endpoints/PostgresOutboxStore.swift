package import Contract
import Logging
package import Outbox
package import Postgres
import Reactor

/// One delivery worker's view of the deliveries in the database.
///
/// A claimed delivery carries a name of the delivery worker, and is claimed for as long as the row of that
/// name says that the worker is alive, by the clock of the database. A claim that failed may still commit:
/// the delivery worker then takes another name, and keeps the former one alive only while it holds a delivery
/// in it. One delivery worker has one store.
package final class PostgresOutboxStore: OutboxStore {
    /// The most rows that a claim looks at, for each that it may take: hosts that can take little are passed
    /// over.
    private static let prefixFactor = 2

    private let pool: PostgresPool
    private let reader: NotificationReader
    private let now: CurrentTime
    private let state: Lock<State>

    private struct State {
        let first: String
        /// The name that deliveries carry that are claimed from now on.
        var name: String
        private var count = 1
        /// The deliveries that are claimed, handed out and not settled, with the name that each carries.
        var held: [Int64: String] = [:]
        /// Whether more deliveries may be claimed in this name than are known, or will be: a claim has
        /// failed.
        var isUnsure = false

        init(_ name: String) {
            first = name
            self.name = name
        }

        var names: [String] { Set(held.values).union([name]).sorted() }

        mutating func anotherName() -> String {
            count += 1
            return "\(first) \(count)"
        }

        /// Takes another name if any delivery is claimed or may be, and returns the names that are left to
        /// others, with the claims in them.
        mutating func beginAnew() -> [String] {
            guard isUnsure || !held.isEmpty else { return [] }
            let former = names
            held = [:]
            isUnsure = false
            name = anotherName()
            return former
        }
    }

    package init(name: String, pool: PostgresPool, reader: NotificationReader, now: @escaping CurrentTime) {
        state = Lock(State(name))
        self.pool = pool
        self.reader = reader
        self.now = now
    }

    // The lease.

    /// Parameters: `$1` name, `$2` seconds, `$3` names that are left.
    private static let begin = """
        WITH former AS (DELETE FROM couriers WHERE name = ANY ($3::text[]))
        INSERT INTO couriers (name, alive_until) VALUES ($1, now() + make_interval(secs => $2))
        ON CONFLICT (name) DO UPDATE SET alive_until = excluded.alive_until
        """

    private static let prolongation = """
        UPDATE couriers SET alive_until = now() + make_interval(secs => $2)
        WHERE name = ANY ($1::text[]) AND alive_until > now()
        """

    package func renew(for lease: Duration) async throws {
        let (former, name) = state.withLock { state in (state.beginAnew(), state.name) }
        try await pool.execute(Self.begin, [name, lease.inSeconds, former])
    }

    package func prolong(for lease: Duration) async throws -> Bool {
        let names = state.withLock { $0.names }
        return try await pool.execute(Self.prolongation, [names, lease.inSeconds]) == names.count
    }

    /// Gives up at once all deliveries that are still claimed. It is called after the delivery worker has
    /// ended.
    package func resign() async {
        _ = try? await pool.execute(
            "DELETE FROM couriers WHERE name = ANY ($1::text[])", [state.withLock { $0.names }])
    }

    // Claiming.

    /// The part of a bound that a row may take.
    private static func part(_ number: String) -> String {
        "CASE WHEN priority < \(BulkReplay.priority) THEN \(number) ELSE greatest(1, \(number) / 4) END"
    }

    /// Chooses due deliveries, within the bounds of their hosts and users: the first of each user come before
    /// the second of any, and so on. Parameters: `$1` name, `$2` now, `$3` hosts that can take nothing, `$4`
    /// rows to look at, `$5` hosts that can take urgent deliveries only, `$6` users who get nothing, `$7`
    /// number for each user, `$8` hosts and `$9` their numbers, `$10` number for other hosts, `$11` limit.
    private static let look = """
        SELECT id, courier
        FROM (
            SELECT *, row_number() OVER (PARTITION BY host ORDER BY priority, turn, due_at, id) AS place
            FROM (
                SELECT *,
                    row_number() OVER (PARTITION BY user_id ORDER BY priority, due_at, id) AS turn
                FROM (
                    SELECT delivery.id, delivery.courier, delivery.priority, delivery.due_at,
                        endpoint.host, endpoint.user_id
                    FROM deliveries AS delivery
                    JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
                    WHERE delivery.settled_at IS NULL AND delivery.due_at <= $2
                        AND (delivery.courier IS NULL OR delivery.courier <> ALL (
                            ARRAY(SELECT name FROM couriers WHERE alive_until > now())))
                        AND endpoint.host <> ALL ($3::text[])
                        AND ($10 > 0 OR endpoint.host = ANY ($8::text[]))
                        AND (delivery.priority <= 0 OR endpoint.host <> ALL ($5::text[]))
                        AND endpoint.user_id <> ALL ($6::uuid[])
                        AND EXISTS (SELECT FROM couriers WHERE name = $1 AND alive_until > now())
                    ORDER BY delivery.priority, delivery.due_at, delivery.id
                    LIMIT $4) AS due) AS due
            WHERE turn <= \(part("$7::int8"))) AS due
        LEFT JOIN unnest($8::text[], $9::int8[]) AS named (host, bound) USING (host)
        WHERE place <= \(part("coalesce(bound, $10::int8)"))
        ORDER BY priority, turn, due_at, id
        LIMIT $11
        """

    /// Parameters: `$1` name, `$2` now, `$3` ids, `$4` dead delivery workers that had claimed some of them.
    /// They are arrays, so that no plan compares all rows with all. A row that another delivery worker has
    /// touched meanwhile is left alone.
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

    package func claim(limit: Int, bounds: ClaimBounds) async throws -> [Delivery<DeliveryMessage>] {
        if state.withLock({ $0.isUnsure }), try await !changeName() { return [] }
        let name = state.withLock { $0.name }
        let choice = try await choose(limit, bounds, for: name)
        if choice.ids.isEmpty { return [] }
        state.withLock { $0.isUnsure = true }
        let claimed = try await pool.withConnection { connection in
            try await messages(
                try await connection.query(Self.take, [name, now(), choice.ids, choice.dead.sorted()]),
                on: connection)
        }
        state.withLock { state in
            state.isUnsure = false
            for delivery in claimed.deliveries { state.held[delivery.id] = name }
        }
        await refuse(claimed.unreadable, of: name)
        return claimed.deliveries
    }

    private static let release = """
        UPDATE deliveries SET courier = NULL
        WHERE settled_at IS NULL AND courier = $1 AND id <> ALL ($2::int8[])
        """

    /// Makes the name `$2` live for as long as `$1`.
    private static let follow = """
        INSERT INTO couriers (name, alive_until)
        SELECT $2, alive_until FROM couriers WHERE name = $1 AND alive_until > now()
        """

    /// Changes the name, and gives back the deliveries that a failed claim has taken. Deliveries that it
    /// takes only later carry a name that is to die. Returns false if the lease is over.
    private func changeName() async throws -> Bool {
        let (old, new, held) = state.withLock { state in
            (state.name, state.anotherName(), Array(state.held.keys))
        }
        let isAlive = try await pool.transaction { connection in
            try await connection.query(Self.release, [old, held])
            return try await connection.query(Self.follow, [old, new]).affected == 1
        }
        if isAlive {
            state.withLock { state in
                state.name = new
                state.isUnsure = false
            }
        }
        return isAlive
    }

    /// Refuses deliveries that this server cannot read, of a later version perhaps, so that they do not hold
    /// up the others.
    private func refuse(_ deliveries: [Unreadable], of name: String) async {
        if deliveries.isEmpty { return }
        let settlements = deliveries.map { delivery in
            Settlement(
                delivery: delivery.id, endpoint: delivery.endpoint, verdict: .refused,
                detail: "the server cannot read this", at: now(), duration: nil)
        }
        do {
            try await SettlementWriter.write(settlements, of: name, to: pool)
            Log.warning("deliveries were refused that cannot be read", ["count": deliveries.count])
        } catch {
            // The deliveries are given back with the next claim.
            state.withLock { $0.isUnsure = true }
        }
    }

    /// The due deliveries that may be taken. Other delivery workers may be quicker.
    private struct Choice {
        var ids: [Int64] = []
        /// The dead delivery workers that had claimed some of them.
        var dead: Set<String> = []
    }

    /// Chooses due deliveries that may be taken.
    private func choose(
        _ limit: Int, _ bounds: ClaimBounds, for name: String
    ) async throws(PostgresError) -> Choice {
        let named = bounds.named.filter { $0.value > 0 }
        let parameters: [any PostgresEncodable] = [
            name, now(), bounds.closed, Int64(limit * Self.prefixFactor), bounds.urgentOnly.sorted(),
            Array(bounds.served), Int64(bounds.perUser), Array(named.keys), named.values.map { Int64($0) },
            Int64(bounds.others), Int64(limit),
        ]
        var choice = Choice()
        for row in try await pool.query(Self.look, parameters) {
            choice.ids.append(try row.decode(0, Int64.self))
            if let deliveryWorker = try row.decode(1, String?.self) { choice.dead.insert(deliveryWorker) }
        }
        return choice
    }

    private struct Unreadable {
        let id: Int64
        let endpoint: Identifier
    }

    private struct Claimed {
        var deliveries: [Delivery<DeliveryMessage>] = []
        var unreadable: [Unreadable] = []
    }

    /// Returns the claimed deliveries with their messages.
    private func messages(_ rows: PostgresRows, on connection: PostgresConnection) async throws -> Claimed {
        let ids = Set(try rows.compactMap { try $0.decode(1, Int64?.self) })
        let notifications = ids.isEmpty ? [:] : try await reader.read(Array(ids), on: connection)
        var claimed = Claimed()
        for row in rows {
            if let delivery = try? Self.delivery(row, notifications) {
                claimed.deliveries.append(delivery)
            } else {
                claimed.unreadable.append(
                    Unreadable(id: try row.decode(0), endpoint: try row.decode(6)))
            }
        }
        return claimed
    }

    /// Reads a claimed delivery; nil if its notification cannot be read.
    private static func delivery(
        _ row: PostgresRow, _ notifications: [Int64: UserNotification]
    ) throws -> Delivery<DeliveryMessage>? {
        let notification = try row.decode(1, Int64?.self)
        let dueAt = try row.decode(3, Timestamp.self)
        let endpoint = try EndpointRow(row, from: 6)
        let isDisabled = if case .disabled = endpoint.target { true } else { false }
        var target = endpoint.target
        var content = DeliveryMessage.Content.test(endpoint: endpoint.id, writtenAt: dueAt)
        // Nothing else is sent to a disabled endpoint; the notification of a deleted account may be gone.
        if let farewell = endpoint.farewell, notification == nil {
            target = farewell
            content = .farewell(endpoint: endpoint.id, writtenAt: dueAt)
        } else if !isDisabled, let id = notification {
            guard let notification = notifications[id] else { return nil }
            content = .notification(notification)
        }
        return Delivery(
            id: try row.decode(0), endpoint: endpoint.id, user: endpoint.user, host: endpoint.host,
            priority: Int(try row.decode(5, Int16.self)), attempts: Int(try row.decode(2, Int16.self)),
            expiresAt: try row.decode(4), registeredAt: endpoint.registeredAt,
            message: DeliveryMessage(
                kind: endpoint.kind, target: target, content: content, language: endpoint.language))
    }

    // Settling.

    package func settle(_ settlements: [Settlement]) async throws {
        for (name, part) in byName(settlements) {
            try await SettlementWriter.write(part, of: name, to: pool)
            state.withLock { state in
                for settlement in part { state.held[settlement.delivery] = nil }
            }
        }
    }

    /// Groups settlements by the name in which the deliveries are held: one and the same, as a rule.
    private func byName(_ settlements: [Settlement]) -> [String: [Settlement]] {
        let (held, name) = state.withLock { ($0.held, $0.name) }
        return Dictionary(grouping: settlements) { held[$0.delivery] ?? name }
    }

    // Waiting.

    /// Selects when the next delivery is due, by priority, so that the index answers each, also for claims of
    /// dead delivery workers; and when the next of the other delivery workers may be dead. `$1` is this
    /// worker's names.
    private static let next = """
        SELECT least(
            (SELECT min(first.due_at)
             FROM unnest('{0,1,2,\(BulkReplay.priority)}'::int2[]) AS rank (priority)
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
                    AND endpoint.user_id <> ALL ($7::uuid[])
                ORDER BY delivery.due_at
                LIMIT 1) AS first),
            (SELECT $2::timestamptz + (min(alive_until) - now())
             FROM couriers WHERE name <> ALL ($1::text[]) AND alive_until > now()))
        """

    package func nextDue(bounds: ClaimBounds) async throws -> Timestamp? {
        let open = bounds.others > 0 ? [] : bounds.named.filter { $0.value > 0 }.keys.sorted()
        let names = state.withLock { $0.names }
        let parameters: [any PostgresEncodable] = [
            names, now(), bounds.closed, bounds.others > 0, open, bounds.urgentOnly.sorted(),
            Array(bounds.served),
        ]
        return try await pool.query(Self.next, parameters, retrying: true).first?
            .decode(0, Timestamp?.self)
    }
}
