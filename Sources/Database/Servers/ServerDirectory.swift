package import Contract
package import Postgres
import Reactor

/// The table of the servers that share the database: how they reach each other, and their leases.
package struct ServerDirectory: Sendable {
    /// The time for which a renewal extends a lease, by the clock of the database.
    package static let lease = Duration.seconds(5)

    /// The pool of the renewals, which must not wait behind other work.
    private let pool: PostgresPool

    package init(pool: PostgresPool) { self.pool = pool }

    /// Returns the configuration of a pool for the directory. It has short time-outs: a renewal that does not
    /// come back soon is worth nothing, and the peers are asked instead.
    package static func configuration(_ database: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = database
        configuration.poolSize = 2
        configuration.acquireTimeout = .seconds(1)
        configuration.connectTimeout = .seconds(1)
        configuration.statementTimeout = .seconds(1)
        configuration.lockTimeout = .seconds(1)
        return configuration
    }

    /// The own row of a server, as it writes it.
    package struct Own: Equatable, Sendable {
        package var incarnation: Identifier
        package var address: String?
        /// The name by which the balancer knows the server.
        package var label: String?
        package var state = ServerState.serving
        package var weight: Int32 = 1
        package var version: String
        /// The id of the machine's last start.
        package var boot: Identifier?

        package init(
            incarnation: Identifier, address: String? = nil, label: String? = nil,
            state: ServerState = .serving, weight: Int32 = 1, version: String, boot: Identifier? = nil
        ) {
            self.incarnation = incarnation
            self.address = address
            self.label = label
            self.state = state
            self.weight = weight
            self.version = version
            self.boot = boot
        }
    }

    /// The answer to a renewal.
    package struct Renewal: Equatable, Sendable {
        /// The time of the database.
        package var at: Timestamp
        /// Whether the table had no row of this server any more: others may have released its members and
        /// claimed its rooms.
        package var isNew: Bool
        /// The start of the first slot that is not closed; nil if there is none.
        package var nextStart: Timestamp?
        /// The other servers, in the order of their names.
        package var others: [ServerEntry]
    }

    private static let columns = """
        name, address, server_name, state, weight,
        (extract(epoch FROM alive_until - clock_timestamp()) * 1000000)::int8, version
        """

    /// Extends the lease. The commit does not wait for the disk: if the database's machine stops, the last
    /// renewals may be lost, so a server that takes over after the lease waits one second longer.
    ///
    /// A row that is gone is restored, without a label: the next note of the schedule finds that out, and
    /// stores the present members again.
    private static let renewal = """
        WITH relaxed AS (
            SELECT set_config('synchronous_commit', 'off', true) AS setting
        ), renewed AS (
            INSERT INTO servers (
                name, alive_at, address, server_name, state, weight, version, boot, alive_until)
            SELECT $1, clock_timestamp(), $2, $3, $4, $5, $6, $7::uuid,
                clock_timestamp() + make_interval(secs => $8)
            FROM relaxed WHERE setting = 'off'
            ON CONFLICT (name) DO UPDATE SET
                address = excluded.address, server_name = excluded.server_name, state = excluded.state,
                weight = excluded.weight, version = excluded.version, boot = excluded.boot,
                alive_until = greatest(servers.alive_until, excluded.alive_until)
            RETURNING xmax = 0 AS is_new
        ), next AS (
            SELECT min(starts_at) AS starts_at FROM slots WHERE closed_at IS NULL
        )
        SELECT clock_timestamp(), is_new, next.starts_at, others.*
        FROM renewed CROSS JOIN next
        LEFT JOIN (SELECT \(columns) FROM servers WHERE name <> $1) AS others ON true
        ORDER BY others.name
        """

    /// Extends the lease of this server, and returns what a server has to know of the others.
    ///
    /// The lease of the database begins after the statement was sent. A caller counts from before that.
    package func renew(_ own: Own) async throws(PostgresError) -> Renewal {
        let rows = try await pool.query(
            Self.renewal,
            [
                "\(own.incarnation)", own.address, own.label, own.state.rawValue, own.weight, own.version,
                own.boot, Self.lease.inSeconds,
            ], retrying: true)
        guard let first = rows.first else { throw .decoding("no answer to a renewal") }
        let (at, isNew, nextStart) = try first.decode(Timestamp.self, Bool.self, Timestamp?.self)
        var others: [ServerEntry] = []
        for row in rows {
            if try row.decode(3, String?.self) != nil { others.append(try Self.entry(row, from: 3)) }
        }
        return Renewal(at: at, isNew: isNew, nextStart: nextStart, others: others)
    }

    private static let reading = "SELECT \(columns) FROM servers WHERE name <> $1 ORDER BY name"

    /// Returns the other servers, as `renew` does, and changes nothing.
    package func others(than own: Identifier) async throws(PostgresError) -> [ServerEntry] {
        try await pool.query(Self.reading, ["\(own)"], retrying: true)
            .map { (row) throws(PostgresError) in try Self.entry(row, from: 0) }
    }

    /// The row of one server, and whether its process has a connection to the database.
    package struct Finding: Equatable, Sendable {
        package var entry: ServerEntry
        /// Whether no connection holds the lock of the process: it has ended, or it is cut off from the
        /// database.
        package var isLockFree: Bool
        /// Whether it runs, or ran, in the same network and since the same start of the machine as the server
        /// that asks.
        package var isOfThisHost = false
    }

    private static let finding = """
        SELECT \(ServerLife.isOver("name")), coalesce(boot = $2, false), \(columns)
        FROM servers WHERE name = $1
        """

    /// Returns what the database says about a server; nil if it has no row, and so ended by itself or has
    /// been away for long.
    package func read(
        _ incarnation: Identifier, boot: Identifier? = nil
    ) async throws(PostgresError) -> Finding? {
        let rows = try await pool.query(Self.finding, ["\(incarnation)", boot], retrying: true)
        guard let row = rows.first else { return nil }
        return Finding(
            entry: try Self.entry(row, from: 2), isLockFree: try row.decode(0, Bool.self),
            isOfThisHost: try row.decode(1, Bool.self))
    }

    /// A server as its row shows it to an operator.
    package struct Listed: Equatable, Sendable {
        package var entry: ServerEntry
        /// Whether its lease is not past, or its process has a connection to the database. An idle server
        /// renews its lease once a minute only.
        package var isRunning: Bool
        /// The number of rooms that it owns in slots that are not closed.
        package var rooms: Int64
    }

    private static let isRunning = """
        (coalesce(alive_until > clock_timestamp(), false) OR NOT (\(ServerLife.isOver("name"))))
        """

    /// Returns the servers that run or whose leases have not expired, by the names that an operator knows.
    package static func running(on connection: PostgresConnection) async throws(PostgresError) -> [String] {
        try await connection.query(
            "SELECT \(columns) FROM servers WHERE \(isRunning) ORDER BY server_name, name"
        )
        .map { (row) throws(PostgresError) in try Self.entry(row, from: 0).shownName }
    }

    private static let listing = """
        WITH owned AS (
            SELECT owner::text AS owner, count(*) AS rooms FROM rooms JOIN slots USING (starts_at)
            WHERE slots.closed_at IS NULL AND rooms.closed_early_at IS NULL
            GROUP BY owner
        )
        SELECT coalesce(rooms, 0), \(isRunning), \(columns)
        FROM servers FULL JOIN owned ON owner = name
        ORDER BY server_name, name
        """

    /// Returns all servers that have a row, and the number of rooms whose owner has none or that have no
    /// owner.
    package func list() async throws(PostgresError) -> (servers: [Listed], otherRooms: Int64) {
        var servers: [Listed] = []
        var otherRooms: Int64 = 0
        for row in try await pool.query(Self.listing, retrying: true) {
            let rooms = try row.decode(0, Int64.self)
            if try row.decode(2, String?.self) == nil {
                otherRooms += rooms
            } else {
                servers.append(
                    Listed(
                        entry: try Self.entry(row, from: 2), isRunning: try row.decode(1, Bool.self),
                        rooms: rooms))
            }
        }
        return (servers, otherRooms)
    }

    private static let countOlder = """
        SELECT count(*) FROM servers
        WHERE alive_until IS NULL AND alive_at > clock_timestamp() - interval '5 minutes'
        """

    /// Returns the number of servers of the previous version that were up a moment ago. They say so only
    /// while a slot is open.
    package static func olderServers(on connection: PostgresConnection) async throws(PostgresError) -> Int64 {
        try await connection.query(countOlder).first?.decode(0, Int64.self) ?? 0
    }

    private static let readOwnAddress = "SELECT host(inet_client_addr())"

    /// Returns the address from which this server reaches the database; nil for a Unix socket.
    package static func ownAddress(from pool: PostgresPool) async throws(PostgresError) -> String? {
        try await pool.query(readOwnAddress, retrying: true).first?.decode(0, String?.self)
    }

    private static let end = """
        UPDATE servers SET alive_until = clock_timestamp(), state = 'draining' WHERE name = $1
        """

    /// Ends the lease of a server that acknowledges nothing any more, so that others need not wait for it.
    /// Its row stays until its members are released (`PostgresSchedule.resign`).
    package func leave(_ incarnation: Identifier) async throws(PostgresError) {
        try await pool.query(Self.end, ["\(incarnation)"], retrying: true)
    }

    private static func entry(_ row: PostgresRow, from column: Int) throws(PostgresError) -> ServerEntry {
        let left = try row.decode(column + 5, Int64?.self)
        // A later version may have more states. None of them is one in which a server gets rooms.
        let state = ServerState(rawValue: try row.decode(column + 3, String.self)) ?? .draining
        return ServerEntry(
            name: try row.decode(column, String.self), address: try row.decode(column + 1, String?.self),
            label: try row.decode(column + 2, String?.self), state: state,
            weight: try row.decode(column + 4, Int32.self), leaseLeft: left.map { .microseconds($0) },
            version: try row.decode(column + 6, String?.self))
    }
}
