/// A migration that has failed several times to get a lock, and the transactions that it waits for.
package struct MigrationWait: Hashable, Sendable {
    /// The version of the migration; nil while the tables are created that list the applied ones.
    package let version: Int?
    /// The number of attempts so far.
    package let tries: Int
    /// The transactions that hold locks on this schema's tables now, the longest first: one line each.
    package let holders: [String]

    /// Returns the holders. A session that this role may not see has null for its start, and so comes first.
    /// Weak locks are listed too, since some migrations need the strongest one.
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
