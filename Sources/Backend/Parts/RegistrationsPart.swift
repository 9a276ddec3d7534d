import API
import Contract
import Database
import Postgres
import Scheduling

/// Registrations, the counts of slots, notices about partners, and the keys by which requests are repeated.
struct RegistrationsPart: Part {
    private let batcher: RegistrationBatcher
    private let leaving: Leaving
    private let counts: SlotCounts
    private let partners: PartnerNotices
    private let cancelled: CancelledRegistrations
    private let context: PartContext
    let pools: [DatabasePools.Group]

    init(_ context: PartContext, _ leaving: Leaving) {
        self.leaving = leaving
        self.context = context
        let (rules, configuration) = (context.rules, context.configuration)
        let pool = PostgresPool(
            context.database.sized(context.plan.registrations)
                .preparing(only: RegistrationWriter.preparedStatements), on: context.loop)
        pools = [.init(name: "registrations", pools: [pool])]
        batcher = RegistrationBatcher(
            pool: pool, attendance: AttendanceRule(configuration), limit: RegistrationLimit(configuration),
            spans: RegistrationSpans(configuration),
            limits: RegistrationBatcher.Limits(transactions: max(1, context.plan.registrations - 1)),
            changed: context.application.changed)
        cancelled = CancelledRegistrations(
            pool: context.pool, quiet: Quiet(configuration), now: context.now)
        counts = SlotCounts(pool: context.pool)
        partners = PartnerNotices(
            pool: context.pool, now: context.now, opensAt: { rules.opensAt($0) },
            changed: context.application.changed)
    }

    func routes(_ rest: REST, into routers: inout Routers) {
        routers.open.add(
            RegistrationEndpoints(rest, batcher, leaving), InviteEndpoints(rest), SlotEndpoints(rest))
    }

    var tasks: [@Sendable () async -> Void] { [batcher.run, counts.run, partners.run] }

    func changed(_ changes: PendingChanges) {
        if changes.slots.isEmpty { return }
        counts.wake()
        partners.wake()
    }

    func compare() { counts.wake() }

    func removeExpired(at now: Timestamp) async throws -> Duration? {
        var pause = Quiet.pause
        try await takeAll([
            { try await IdempotencyKeys.tidy(at: now, in: context.pool) },
            {
                let gone = try await cancelled.removeExpired()
                context.retention.addRemoved(registrations: gone.count)
                pause = gone.pause
            },
        ])
        return pause
    }
}
