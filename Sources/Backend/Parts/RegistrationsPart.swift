import API
import Database
import Postgres
import Scheduling

/// Registrations, the counts of slots, and notices about partners.
struct RegistrationsPart: Part {
    private let batcher: RegistrationBatcher
    private let leaving: Leaving
    private let counts: SlotCounts
    private let partners: PartnerNotices
    let pools: [DatabasePools.Group]

    init(_ context: PartContext, _ leaving: Leaving) {
        self.leaving = leaving
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
}
