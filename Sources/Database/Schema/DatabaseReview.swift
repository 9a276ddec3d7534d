import Logging
package import Postgres

/// The limits and guarantees of the database, compared with what the server needs: read once, at the start.
package struct DatabaseReview: Equatable, Sendable {
    package var maximum: Int
    /// The number of connections that are kept for superusers, and for roles that may use reserved
    /// connections.
    var reserved: Int
    /// The settings that lose acknowledged data when the machine stops, as `name=value`.
    var lossy: [String]
    /// The CONNECTION LIMIT of the role; nil if it has none, or is a superuser.
    var roleLimit: Int?
    /// The CONNECTION LIMIT of the database; nil if it has none for this role.
    var databaseLimit: Int?

    private static let query = """
        SELECT current_setting('max_connections')::int8,
            current_setting('superuser_reserved_connections')::int8
                + coalesce(current_setting('reserved_connections', true), '0')::int8,
            ARRAY(
                SELECT name || '=' || setting FROM pg_settings
                WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
                ORDER BY name),
            CASE WHEN NOT rolsuper AND rolconnlimit >= 0 THEN rolconnlimit::int8 END,
            CASE WHEN NOT rolsuper AND datconnlimit >= 0 THEN datconnlimit::int8 END
        FROM pg_roles, pg_database
        WHERE rolname = session_user AND datname = current_database()
        """

    package static func read(from pool: PostgresPool) async throws -> DatabaseReview {
        guard let row = try await pool.query(query, retrying: true).first else {
            throw PostgresError.decoding("no settings")
        }
        return try row.read(DatabaseReview.init(maximum:reserved:lossy:roleLimit:databaseLimit:))
    }

    /// The number of connections that this server and others may have open together.
    package var usable: Int { smallest.count }

    /// The limit that leaves the fewest connections, as it is written in PostgreSQL.
    private var smallest: (count: Int, name: String) {
        var smallest = (count: maximum - reserved, name: "max_connections=\(maximum)")
        if let roleLimit, roleLimit < smallest.count {
            smallest = (roleLimit, "the role's CONNECTION LIMIT \(roleLimit)")
        }
        if let databaseLimit, databaseLimit < smallest.count {
            smallest = (databaseLimit, "the database's CONNECTION LIMIT \(databaseLimit)")
        }
        return smallest
    }

    /// The reason why a server cannot work with so few connections, of which it needs that many; nil if it
    /// can.
    package func connectionFault(needing least: Int) -> String? {
        if usable >= least { return nil }
        return
            "PostgreSQL has too few connections: \(smallest.name) leaves \(usable) for all servers, and this "
            + "one needs at least \(least)."
    }

    /// A warning about durability; nil if there is nothing that an operator has to know.
    var durabilityWarning: String? {
        lossy.isEmpty
            ? nil
            : "a crash of the database's machine may lose what was acknowledged: "
                + "\(lossy.joined(separator: ", "))"
    }

    /// Returns a warning about connections; nil if there are as many as were asked for.
    func connectionWarning(asked: Int) -> String? {
        if asked <= usable { return nil }
        return "PostgreSQL has fewer connections than DATABASE_CONNECTIONS=\(asked): \(smallest.name) leaves "
            + "\(usable) for all servers, and this one opens no more"
    }

    /// Logs one line about connections, of which so many were asked for, and one about durability if it is
    /// at risk.
    package func log(_ plan: ConnectionPlan, asked: Int) {
        if let warning = connectionWarning(asked: asked) {
            Log.warning(warning)
        } else {
            Log.info("connections to PostgreSQL", ["atMost": plan.sum, "usable": usable])
        }
        if let durabilityWarning { Log.warning(durabilityWarning) }
    }
}
