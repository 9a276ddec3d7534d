/// What a migration waits for that could not have a lock again and again.
package struct MigrationWait: Hashable, Sendable {
    /// The migration; nil while the tables are made that say which ones were applied.
    package let version: Int?
    /// How often it was tried.
    package let tries: Int
    /// Who holds locks of this schema's tables now, the longest transactions first: one line each.
    package let holders: [String]

    /// What a role may not see of another one's session is null, and so its transaction comes first. Weak
    /// locks are listed too, since some migrations need the strongest one.
    private static let readHolders = """
        SELECT format('%s %s%s: %s', coalesce(backend_type, 'process'), pid,
            ', for ' || extract(epoch FROM clock_timestamp() - xact_start)::int8 || ' s',
            string_agg(DISTINCT relname || ' ' || mode, ', '))
        FROM pg_locks
        JOIN pg_class ON pg_class.oid = relation AND relnamespace = current_schema()::regnamespace
            AND relkind IN ('r', 'p')
        JOIN pg_stat_activity USING (pid)
        WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND granted AND pid <> pg_backend_pid()
        GROUP BY pid, backend_type, xact_start
        ORDER BY xact_start NULLS FIRST
        LIMIT 3
        """

    static func holders(on connection: PostgresConnection) async throws(PostgresError) -> [String] {
        var lines: [String] = []
        for row in try await connection.query(readHolders) { lines.append(try row.decode(0, String.self)) }
        return lines
    }
}
