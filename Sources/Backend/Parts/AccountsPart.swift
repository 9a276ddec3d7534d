import API
import Contract
import Database
import Postgres
import Scheduling

/// Accounts: the uses and the end of their tokens, their time zones, and the erasure of deleted ones.
struct AccountsPart: Part {
    private let leaving: Leaving
    private let uses: TokenUses
    private let timeZones: TimeZones
    private let erasure: AccountErasureWorker
    private let pool: PostgresPool

    init(_ context: PartContext, _ leaving: Leaving) {
        self.leaving = leaving
        uses = leaving.signIn.uses
        timeZones = context.application.timeZones
        pool = context.pool
        erasure = AccountErasureWorker(AccountErasure(pool: pool, now: context.now))
    }

    func routes(_ rest: REST, into routers: inout Routers) {
        routers.open.add(
            UserEndpoints(rest, leaving), TokenEndpoints(rest), RecoveryEndpoints(rest),
            SignInCodeEndpoints(rest), SessionEndpoints(rest), ExportEndpoints(rest), TimeZoneEndpoints(rest))
    }

    var tasks: [@Sendable () async -> Void] {
        [{ await uses.run(in: pool) }, { await timeZones.run(reading: pool) }, erasure.run]
    }

    func removeExpired(at now: Timestamp) async throws -> Duration? {
        try await uses.forgetExpired(in: pool)
        try await SignUpCodes.removeExpired(at: now, in: pool)
        try await SignInCodes.removeExpired(at: now, in: pool)
        return .seconds(60)
    }

    func changed(_ changes: PendingChanges) {
        if changes.all.contains(.users) || !changes.users.isEmpty { erasure.wake() }
    }
}
