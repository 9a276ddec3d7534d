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

    private static let query = """
        SELECT current_setting('max_connections')::int8,
            current_setting('superuser_reserved_connections')::int8
                + coalesce(current_setting('reserved_connections', true), '0')::int8,
            ARRAY(
                SELECT name || '=' || setting FROM pg_settings
                WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
                ORDER BY name)
        """

    package static func read(from pool: PostgresPool) async throws -> DatabaseReview {
        guard let row = try await pool.query(query, retrying: true).first else {
            throw PostgresError.decoding("no settings")
        }
        let (maximum, reserved, lossy) = try row.decode(Int64.self, Int64.self, [String].self)
        return DatabaseReview(maximum: Int(maximum), reserved: Int(reserved), lossy: lossy)
    }

    /// The number of connections that this server and others may have open together.
    var usable: Int { maximum - reserved }

    /// A warning about durability; nil if there is nothing that an operator has to know.
    var durabilityWarning: String? {
        lossy.isEmpty
            ? nil
            : "a crash of the database's machine may lose what was acknowledged: "
                + "\(lossy.joined(separator: ", "))"
    }

    /// Returns a warning about connections; nil if they suffice.
    func connectionWarning(for plan: ConnectionPlan) -> String? {
        if plan.sum <= usable { return nil }
        return
            "PostgreSQL has too few connections: this server may open \(plan.sum), and "
            + "max_connections=\(maximum) "
            + "leaves \(usable) for all servers; raise it, or lower DATABASE_CONNECTIONS"
    }

    /// Logs one line about connections, and one about durability if there is something to say.
    package func log(_ plan: ConnectionPlan) {
        if let warning = connectionWarning(for: plan) {
            Log.warning(warning)
        } else {
            Log.info("connections to PostgreSQL", ["atMost": plan.sum, "usable": usable])
        }
        if let durabilityWarning { Log.warning(durabilityWarning) }
    }
}
