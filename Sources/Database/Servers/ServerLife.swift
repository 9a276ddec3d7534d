package import Contract

/// The advisory lock by which PostgreSQL knows that a process lives: the process holds it for as long as one
/// of its connections does.
package enum ServerLife {
    private static func lockKey(_ name: String) -> String { "hashtextextended(\(name), 0)" }

    /// Returns SQL that, run on a connection of the process, takes its lock until that connection ends.
    package static func hold(_ incarnation: Identifier) -> String {
        "SELECT pg_advisory_lock_shared(\(lockKey("'\(incarnation)'")))"
    }

    /// Returns an SQL condition: the lock of the process that the SQL expression names is free.
    static func isOver(_ name: String) -> String { "NOT EXISTS (\(holders(of: name)))" }

    /// Returns an SQL condition: the process holds its lock by a connection that is older than that many
    /// seconds. The others could connect for as long.
    static func isSteady(_ name: String, for seconds: String) -> String {
        """
        EXISTS (\(holders(of: name)) AND EXISTS (
            SELECT FROM pg_stat_activity
            WHERE pg_stat_activity.pid = pg_locks.pid
                AND backend_start < clock_timestamp() - make_interval(secs => \(seconds))))
        """
    }

    private static func holders(of name: String) -> String {
        """
        SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND datname = current_database()
            AND (classid::int8 << 32) | objid::int8 = \(lockKey(name))
        """
    }
}
