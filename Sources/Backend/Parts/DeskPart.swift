import Console
import Database
import Postgres
import Scheduling

/// The work of operators: the desk, where there is one, announcements, and the end of what they leave.
struct DeskPart: Part {
    let desk: Desk?
    let announcements: AnnouncementWorker
    let retention: DeskRetention

    var tasks: [@Sendable () async -> Void] {
        guard let desk else { return [announcements.run, retention.run] }
        let heads = AuditHeadLog(
            desk.audit, pool: desk.pool, sleep: { try await ContinuousClock().sleep(for: $0) })
        return [announcements.run, retention.run, desk.board.run, heads.run]
    }

    func changed(_ changes: PendingChanges) {
        if !changes.announcements.isEmpty { announcements.wake() }
    }

    func finish() async { await desk?.pool.shutdown() }
}
