import Reactor
import Synchronization

/// A check whether the database takes writes: it commits a message in the write-ahead log, which waits for
/// the disk and for synchronous standbys as each commit does, and changes no table.
///
/// A file system without space lets many writes pass, and refuses those that make a file larger. After such a
/// refusal to any statement of this process, the check also makes a temporary table, until that succeeds.
package final class WriteCheck: Sendable {
    /// The time for which a commit shows that the database takes writes.
    private static let validity = Duration.seconds(1)
    /// The instant of the last refusal for want of space, in monotonic nanoseconds.
    private static let ranOutAt = Atomic<UInt64>(0)

    private let wroteAt = Atomic<UInt64>(0)
    private let foundSpaceAt = Atomic<UInt64>(0)

    package init() {}

    /// Notes that a statement was refused for want of space.
    static func ranOutOfSpace() { ranOutAt.store(Monotonic.nanoseconds(), ordering: .relaxed) }

    /// The table takes about a megabyte, and is dropped at the end of the statement.
    private static let takeSpace = """
        CREATE TEMPORARY TABLE letsswitch_space ON COMMIT DROP AS SELECT generate_series(1, 30000)
        """

    private static let write = "SELECT FROM pg_logical_emit_message(true, 'letsswitch', 'ready'::text)"

    /// Returns the reason, for operators, for which the database takes no writes; nil if it does. It may wait
    /// as long as a commit.
    package func fault(on connection: PostgresConnection) async throws(PostgresError) -> String? {
        if try await !connection.mayWrite() { return "The database takes no writes." }
        let now = Monotonic.nanoseconds()
        if Self.ranOutAt.load(ordering: .relaxed) > foundSpaceAt.load(ordering: .relaxed) {
            do throws(PostgresError) {
                try await run(Self.takeSpace, on: connection)
            } catch {
                if error.sqlState == .diskFull { return "The database has no disk space left." }
                throw error
            }
            foundSpaceAt.store(now, ordering: .relaxed)
        }
        if now &- wroteAt.load(ordering: .relaxed) < Self.validity.clampedNanoseconds { return nil }
        try await run(Self.write, on: connection)
        // A commit that is cancelled while it waits for a standby succeeds, with a warning.
        if Task.isCancelled { throw .cancelled }
        wroteAt.store(now, ordering: .relaxed)
        return nil
    }

    /// Runs a statement, which shows nothing if the role may not do that.
    private func run(
        _ statement: String, on connection: PostgresConnection
    ) async throws(PostgresError) {
        do throws(PostgresError) {
            try await connection.query(statement)
        } catch {
            if error.sqlState != .insufficientPrivilege { throw error }
        }
    }
}
