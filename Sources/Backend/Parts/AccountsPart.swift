import API
import Database
import Postgres
import Scheduling

/// Accounts: the uses of their tokens, their time zones, and the erasure of deleted ones.
struct AccountsPart: Part {
    private let uses: TokenUses
    private let timeZones: TimeZones
    private let erasure: AccountErasureWorker
    private let pool: PostgresPool

    init(_ context: PartContext, _ signIn: SignIn) {
        uses = signIn.uses
        timeZones = context.application.timeZones
        pool = context.pool
        erasure = AccountErasureWorker(AccountErasure(pool: pool, now: context.now))
    }

    func routes(_ rest: REST, into routers: inout Routers) { rest.routes(into: &routers.open) }

    var tasks: [@Sendable () async -> Void] {
        [{ await uses.run(in: pool) }, { await timeZones.run(reading: pool) }, erasure.run]
    }

    func changed(_ changes: PendingChanges) {
        if changes.all.contains(.users) || !changes.users.isEmpty { erasure.wake() }
    }
}
