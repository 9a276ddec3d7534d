package import Postgres

/// The time that several statements have together.
package struct TimeBudget: Sendable {
    private let end: ContinuousClock.Instant

    /// Begins now.
    init(_ limit: Duration) { end = .now.advanced(by: limit) }

    package var left: Duration { max(ContinuousClock.Instant.now.duration(to: end), .milliseconds(1)) }
}

extension PostgresConnection {
    /// For as long as is left; nil: for as long as any statement.
    package nonisolated func query(
        _ sql: String, _ parameters: [any PostgresEncodable], within budget: TimeBudget?
    ) async throws -> PostgresRows {
        guard let budget else { return try await query(sql, parameters) }
        return try await withStatementTimeout(budget.left) { try await $0.query(sql, parameters) }
    }
}
