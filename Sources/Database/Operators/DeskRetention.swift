package import Contract
import Logging
package import Postgres
import Reactor

/// Erases what operators and reports leave: the words of the audit log after `AUDIT_DAYS`, reports after
/// `REPORT_DAYS`, and announcements after `RETENTION_DAYS`; 0 keeps them.
package struct DeskRetention: Sendable {
    private static let interval = Duration.seconds(3600)

    private let auditDays: Int
    private let reportDays: Int
    private let announcementDays: Int
    private let pool: PostgresPool
    private let now: CurrentTime

    package init(
        auditDays: Int, reportDays: Int, announcementDays: Int, pool: PostgresPool, now: @escaping CurrentTime
    ) {
        self.auditDays = auditDays
        self.reportDays = reportDays
        self.announcementDays = announcementDays
        self.pool = pool
        self.now = now
    }

    /// Works until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do {
                try await erase()
            } catch {
                if Task.isCancelled { return }
                Log.warning("old reports and words are erased later", ["error": "\(error)"])
            }
            try? await ContinuousClock().sleep(for: Self.interval)
        }
    }

    /// Erases all that is old.
    package func erase() async throws {
        if auditDays > 0 {
            try await repeating { try await AuditLog.erase(before: limit(auditDays), in: pool) }
        }
        if reportDays > 0 {
            try await repeating { try await DeskReports.forget(before: limit(reportDays), in: pool) }
        }
        if announcementDays > 0 {
            try await repeating { try await Announcements.forget(before: limit(announcementDays), in: pool) }
        }
    }

    /// Repeats a step until it has nothing to do, with rests as long as the steps.
    private func repeating(_ step: () async throws -> Bool) async throws {
        while true {
            let begun = Monotonic.nanoseconds()
            guard try await step() else { return }
            let rest = Int64(clamping: Monotonic.nanoseconds() - begun)
            try await ContinuousClock().sleep(for: .nanoseconds(rest))
        }
    }

    private func limit(_ days: Int) -> Timestamp { now().adding(.seconds(-days * 86_400)) }
}
