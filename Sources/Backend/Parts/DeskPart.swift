import API
import Console
import Contract
import Database
import Postgres
import Scheduling
import Settings

/// The desk, if ADMIN_PORT is set, announcements, and the removal of old audit entries and reports.
struct DeskPart: Part {
    private let desk: Desk?
    private let announcements: AnnouncementWorker
    private let context: PartContext

    /// Without a pool there is no desk. `own` returns the figures of this server.
    init(
        _ context: PartContext, _ pool: PostgresPool?, _ leaving: Leaving, _ deliveries: DeliveryService,
        own: @escaping @Sendable () async -> OwnFigures
    ) async throws {
        let configuration = context.configuration
        announcements = AnnouncementWorker(
            pool: context.pool, now: context.now, changed: context.application.changed)
        self.context = context
        guard let pool else {
            desk = nil
            return
        }
        let key = try await OpenedDatabase.patiently {
            try await ServerKey.read(configuration.auditKey, orKept: "audit-key", in: context.pool)
        }
        desk = Desk(
            context.application, leaving: leaving, pool: pool, auditKey: key,
            warnings: SettingWarnings.find(
                configuration, publicURL: context.application.tickets.publicURL),
            figures: own, test: { try await deliveries.test($0, of: $1) })
    }

    func routes(_ rest: REST, into routers: inout Routers) {
        desk?.routes(into: &routers.desk)
        if desk != nil { OperatorsPage.add(to: &routers.desk) }
    }

    var tasks: [@Sendable () async -> Void] {
        guard let desk else { return [announcements.run] }
        let heads = AuditHeadLog(
            desk.audit, pool: desk.pool, sleep: { try await ContinuousClock().sleep(for: $0) })
        return [announcements.run, desk.board.run, heads.run]
    }

    func removeExpired(at now: Timestamp) async throws -> Duration? {
        let days = context.configuration
        try await OldDeskRows.remove(
            auditDays: days.auditDays, reportDays: days.reportDays, announcementDays: days.retentionDays,
            at: now, in: context.pool)
        return .seconds(3600)
    }

    func changed(_ changes: PendingChanges) {
        if !changes.announcements.isEmpty { announcements.wake() }
    }
}
