package import Postgres

/// The time that several statements have together.
package struct TimeBudget: Sendable {
    private let end: ContinuousClock.Instant

    /// Creates a budget that begins now.
    init(_ limit: Duration) { end = .now.advanced(by: limit) }

    package var left: Duration { max(ContinuousClock.Instant.now.duration(to: end), .milliseconds(1)) }
}

extension PostgresConnection {
    /// Runs a query for as long as is left of the budget; without one, for as long as any statement.
    package nonisolated func query(
        _ sql: String, _ parameters: [any PostgresEncodable], within budget: TimeBudget?
    ) async throws -> PostgresRows {
        guard let budget else { return try await query(sql, parameters) }
        return try await withStatementTimeout(budget.left) { try await $0.query(sql, parameters) }
    }
}
