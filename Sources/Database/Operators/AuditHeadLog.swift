import Codecs
import Logging
package import Postgres

/// Writes the head of the audit log and the number of its entries into the server's log, at the start and
/// once a day. That copy is out of reach for a person who can write only to the database.
package struct AuditHeadLog: Sendable {
    package static let interval = Duration.seconds(86_400)
    /// The time until the next attempt if the database does not answer.
    package static let retryInterval = Duration.seconds(60)

    private let audit: AuditLog
    private let pool: PostgresPool
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(
        _ audit: AuditLog, pool: PostgresPool, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.audit = audit
        self.pool = pool
        self.sleep = sleep
    }

    /// Works until the task is cancelled, or until `sleep` throws.
    package func run() async {
        while !Task.isCancelled {
            var pause = Self.interval
            do {
                try await write()
            } catch {
                if Task.isCancelled { return }
                Log.warning("audit log: reading its head failed; retrying", ["error": "\(error)"])
                pause = Self.retryInterval
            }
            do { try await sleep(pause) } catch { return }
        }
    }

    private func write() async throws {
        switch try await audit.head(in: pool) {
        case .none: break
        case .at(let last, let hash): Log.info("audit log", ["entries": last, "head": hash.hexadecimal])
        case .missing:
            Log.error("audit log: missing although operators exist; restore the database from a backup")
        case .unsigned: Log.error("audit log: its head is not signed with the AUDIT_KEY of this server")
        }
    }
}
