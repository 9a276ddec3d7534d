package import Contract
package import Postgres

/// Keeps the partitions of deliveries and attempts: future ones are made ahead, and those in which all rows
/// are old are dropped.
///
/// A partition of deliveries has the ids of a hundred million notifications. Once a week the ids go on with
/// the next hundred million, if the partition has any delivery: so a partition becomes old as a whole.
/// Attempts have a partition for each week. Rows without a partition of their own, such as tests of
/// endpoints, are in the default partition, and are deleted.
package struct DeliveryPartitions: Sendable {
    static let idsOfOne: Int64 = 100_000_000
    /// The time to wait for a lock: a server that cannot have it tries again the next time, since others wait
    /// behind it.
    private static let lockTimeout = "SET LOCAL lock_timeout = '500ms'"
    private static let key: Int64 = 0x6C65_7476
    private static let week = "interval '168 hours'"

    package let pool: PostgresPool
    package let quiet: Quiet

    package init(pool: PostgresPool, quiet: Quiet) {
        self.pool = pool
        self.quiet = quiet
    }

    private struct Part: Sendable {
        let name: String
        /// The first id; nil for no lower bound.
        let lower: Int64?
        let upper: Int64
    }

    /// An SQL expression for the id at which the partition `child` ends.
    static let upperBound = """
        substring(pg_get_expr(relpartbound, child.oid) FROM 'TO \\(''(\\d+)''\\)')::int8
        """

    private static let parts = """
        SELECT child.relname::text,
            substring(pg_get_expr(relpartbound, child.oid) FROM 'FROM \\(''(\\d+)''\\)')::int8,
            \(upperBound) AS upper
        FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'deliveries'::regclass AND pg_get_expr(relpartbound, child.oid) <> 'DEFAULT'
        ORDER BY upper
        """

    private static let lastID = """
        SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('notifications', 'id')::regclass), 0)
        """

    private static let others = """
        SELECT FROM deliveries_others WHERE notification_id >= $1 AND notification_id < $2 LIMIT 1
        """

    private static let goOn = """
        SELECT setval(pg_get_serial_sequence('notifications', 'id')::regclass, $1)
        """

    /// Selects the time at which the first notification from an id on was written.
    private static let writtenAt = "SELECT created_at FROM notifications WHERE id >= $1 ORDER BY id LIMIT 1"

    private static let newWeeks = """
        WITH part AS (
            SELECT substring(bound FROM 'FROM \\(''([^'']+)''\\)')::timestamptz AS lower,
                substring(bound FROM 'TO \\(''([^'']+)''\\)')::timestamptz AS upper
            FROM pg_inherits
            JOIN pg_class AS child ON child.oid = inhrelid
            CROSS JOIN pg_get_expr(relpartbound, child.oid) AS bound
            WHERE inhparent = 'attempts'::regclass AND bound <> 'DEFAULT'
        )
        SELECT format('CREATE TABLE attempts_%s PARTITION OF attempts FOR VALUES FROM (%L) TO (%L)',
            to_char(monday AT TIME ZONE 'UTC', 'YYYYMMDD'), monday, monday + \(week))
        FROM generate_series(date_trunc('week', $1::timestamptz, 'UTC'),
            $1::timestamptz + 2 * \(week), \(week))
            AS monday
        WHERE NOT EXISTS (
                SELECT FROM part
                WHERE coalesce(lower, '-infinity') < monday + \(week) AND upper > monday)
            AND NOT EXISTS (SELECT FROM attempts_others WHERE at >= monday AND at < monday + \(week))
        ORDER BY monday
        """

    private static let oldWeeks = """
        SELECT format('DROP TABLE %I', child.relname)
        FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'attempts'::regclass
            AND substring(pg_get_expr(relpartbound, child.oid) FROM 'TO \\(''([^'']+)''\\)')::timestamptz < $1
        """

    /// Makes and drops partitions, and returns the number of dropped ones. Nothing is done near an opening,
    /// or while another server does it.
    @discardableResult
    package func keep(at now: Timestamp) async throws -> Int {
        let limit = now.adding(.zero - OutboxHousekeeping.retention)
        try await change { connection in
            try await makeParts(on: connection)
            for row in try await connection.query(Self.newWeeks, [now]) {
                try await connection.simple(try row.decode(0, String.self))
            }
            return 0
        }
        try await change(at: now) { try await goOn(at: now, on: $0) }
        let weeks = try await change(at: now) { connection in
            let statements = try await connection.query(Self.oldWeeks, [limit])
            for row in statements { try await connection.simple(try row.decode(0, String.self)) }
            return statements.count
        }
        let parts = try await change(at: now) { try await dropParts(before: limit, on: $0) }
        return weeks + parts
    }

    /// Runs the body in a transaction of its own, since it locks the whole table. With an instant, it runs
    /// only if that is a quiet time.
    @discardableResult
    private func change(
        at now: Timestamp? = nil, _ body: (PostgresConnection) async throws -> Int
    ) async throws -> Int {
        try await pool.transaction { connection in
            let lock = try await connection.query("SELECT pg_try_advisory_xact_lock($1)", [Self.key])
            guard try lock[0].decode(0, Bool.self) else { return 0 }
            if let now, try await !quiet.reigns(at: now, in: connection) { return 0 }
            try await connection.simple(Self.lockTimeout)
            return try await body(connection)
        }
    }

    private func parts(on connection: PostgresConnection) async throws -> [Part] {
        try await connection.query(Self.parts).read(Part.init(name:lower:upper:))
    }

    private func lastID(on connection: PostgresConnection) async throws -> Int64 {
        try await connection.query(Self.lastID)[0].decode(0, Int64.self)
    }

    /// Makes partitions of deliveries, so that there are two ahead of the ids. A partition is left out if
    /// there are rows of it already.
    private func makeParts(on connection: PostgresConnection) async throws {
        let parts = try await parts(on: connection)
        let last = try await lastID(on: connection)
        let ahead = parts.count { $0.lower.map { $0 > last } ?? false }
        guard ahead < 2, var lower = parts.last?.upper else { return }
        for _ in ahead..<2 {
            while try await !connection.query(Self.others, [lower, lower + Self.idsOfOne]).isEmpty {
                lower += Self.idsOfOne
            }
            try await connection.simple(
                "CREATE TABLE deliveries_\(lower) PARTITION OF deliveries FOR VALUES FROM (\(lower)) "
                    + "TO (\(lower + Self.idsOfOne))")
            lower += Self.idsOfOne
        }
    }

    /// Selects a row if a delivery of the partition waits, or was settled since `$1`. The orders are those of
    /// the indexes: by old statistics PostgreSQL would read the whole partition.
    static func uses(of part: String) -> String {
        """
        (SELECT FROM \(part) WHERE settled_at IS NULL ORDER BY priority, due_at, id LIMIT 1)
        UNION ALL
        (SELECT FROM \(part) WHERE settled_at >= $1 ORDER BY settled_at LIMIT 1)
        """
    }

    /// Moves the ids on to the next partition. No concurrent writer draws an id that would be drawn again:
    /// ids only grow.
    private func goOn(at now: Timestamp, on connection: PostgresConnection) async throws -> Int {
        try await NotificationWriter.lock(on: connection)
        let last = try await lastID(on: connection)
        for part in try await parts(on: connection) {
            guard let lower = part.lower, lower <= last, last < part.upper - 1 else { continue }
            let written = try await connection.query(Self.writtenAt, [lower]).first?.decode(0, Timestamp.self)
            guard let written, written < now.adding(.seconds(-7 * 24 * 3600)),
                try await !connection.query("SELECT FROM \(part.name) LIMIT 1").isEmpty
            else { continue }
            try await connection.query(Self.goOn, [part.upper - 1])
        }
        return 0
    }

    /// Drops partitions whose last notification is older than `limit`, if no delivery in them is pending or
    /// was settled since.
    private func dropParts(before limit: Timestamp, on connection: PostgresConnection) async throws -> Int {
        let last = try await lastID(on: connection)
        var count = 0
        for part in try await parts(on: connection) where part.upper <= last {
            let next = try await connection.query(Self.writtenAt, [part.upper]).first
            guard let next, try next.decode(0, Timestamp.self) < limit else { continue }
            guard try await connection.query(Self.uses(of: part.name), [limit]).isEmpty else { continue }
            try await connection.simple("DROP TABLE \(part.name)")
            count += 1
        }
        return count
    }
}
