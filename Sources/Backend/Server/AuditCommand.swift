import Codecs
import Contract
import Database
import Postgres
import Settings

/// `letsswitch-server audit`, which verifies the audit log, and cuts its beginning off.
struct AuditCommand: Sendable {
    let configuration: ServerConfiguration
    let request: AuditRequest

    /// Lines for standard output, and whether the log is whole.
    func run() async throws -> (lines: [String], isWhole: Bool) {
        try await CommandDatabase.run(configuration, "audit") { pool, now in
            let audit = AuditLog(
                key: try await ServerKey.read(configuration.auditKey, orKept: "audit-key", in: pool))
            switch request {
            case .verify(let head):
                let found = try await audit.verify(keptHead: head, in: pool)
                let count =
                    "\(counted(found.entries, "entry", "entries")); the words of \(found.erased) are erased."
                if let fault = found.fault { return ([count, fault], false) }
                return ([count, "The chain is whole. Its head is \(found.head.hexadecimal)."], true)
            case .cut(let before):
                let count = try await audit.cut(before: before, by: "command line", at: now, in: pool)
                return (["\(counted(count, "entry was", "entries were")) cut off."], true)
            }
        }
    }
}
