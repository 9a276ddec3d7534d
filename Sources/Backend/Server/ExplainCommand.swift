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
        try await CommandDatabase.run(configuration, "explain") { pool, _ in try await explain(on: pool) }
    }

    private func explain(on pool: PostgresPool) async throws -> Bool {
        guard let rules = ScheduleRules(configuration) else {
            preconditionFailure("the configuration was checked when it was read")
        }
        let slot = rules.key(startsAt: startsAt, minutes: minutes ?? rules.lengths?.standard)
        let explanation = try await SlotExplainer(rules: rules, pool: pool).explain(slot)
        guard let explanation else {
            Log.plain("letsswitch-server: no match was made for the slot \(SlotKey(slot)).")
            return false
        }
        try StandardStreams.line(explanation.text)
        return true
    }
}
