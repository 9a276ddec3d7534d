import Contract
import Database
import Logging
import Matching
import Postgres
import Reactor
import Scheduling
import Settings

/// `letsswitch-server explain SLOT`, which prints why each person got which partner. A server may be running
/// meanwhile.
struct ExplainCommand: Sendable {
    let configuration: ServerConfiguration
    let startsAt: Timestamp
    /// The length of the slot; nil for the usual one.
    var minutes: Int?

    /// Prints the explanation; returns false if there is nothing to explain.
    func run() async throws -> Bool {
        let group = try EventLoopGroup(count: 1, name: "explain")
        defer { group.shutdown() }
        let loop = group.loops[0]
        let database = try await OpenedDatabase.openToRead(configuration, on: loop)
        do {
            let isExplained = try await explain(database.configuration, on: loop)
            await database.close()
            return isExplained
        } catch {
            await database.close()
            throw error
        }
    }

    private func explain(_ database: PostgresConfiguration, on loop: EventLoop) async throws -> Bool {
        guard let rules = ScheduleRules(configuration) else {
            preconditionFailure("the configuration was checked when it was read")
        }
        let pool = PostgresPool(database, on: loop)
        let slot = rules.key(startsAt: startsAt, minutes: minutes ?? rules.lengths?.standard)
        let explanation = try await SlotExplainer(rules: rules, pool: pool).explain(slot)
        await pool.shutdown()
        guard let explanation else {
            Log.plain("letsswitch-server: no match was made for the slot \(SlotKey(slot)).")
            return false
        }
        print(explanation.text)
        return true
    }
}
