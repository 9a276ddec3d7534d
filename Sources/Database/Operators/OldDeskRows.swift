package import Contract
package import Postgres
import Reactor

/// The rows that operators and reports leave.
package enum OldDeskRows {
    /// Erases the words of the audit log, reports, and announcements that are older than so many days; 0
    /// keeps them. Each batch is followed by a rest that is as long.
    package static func remove(
        auditDays: Int, reportDays: Int, announcementDays: Int, at now: Timestamp, in pool: PostgresPool
    ) async throws {
        let kinds: [(days: Int, removeBatch: (Timestamp, PostgresPool) async throws -> Bool)] = [
            (auditDays, AuditLog.erase), (reportDays, DeskReports.forget),
            (announcementDays, Announcements.forget),
        ]
        for (days, removeBatch) in kinds where days > 0 {
            var begun = Monotonic.nanoseconds()
            while try await removeBatch(now.adding(.seconds(-days * 86_400)), pool) {
                let rest = Int64(clamping: Monotonic.nanoseconds() - begun)
                try await ContinuousClock().sleep(for: .nanoseconds(rest))
                begun = Monotonic.nanoseconds()
            }
        }
    }
}
