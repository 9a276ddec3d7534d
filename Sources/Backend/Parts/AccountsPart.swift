import Database
import Postgres
import Scheduling

/// Accounts: the uses of their tokens, their time zones, and the removal of what deleted ones have left.
struct AccountsPart: Part {
    let uses: TokenUses
    let timeZones: TimeZones
    let erasure: AccountErasureWorker
    let pool: PostgresPool

    var tasks: [@Sendable () async -> Void] {
        [{ await uses.run(in: pool) }, { await timeZones.run(reading: pool) }, erasure.run]
    }

    func changed(_ changes: PendingChanges) {
        if changes.all.contains(.users) || !changes.users.isEmpty { erasure.wake() }
    }
}
