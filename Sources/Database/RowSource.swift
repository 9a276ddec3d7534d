package import Postgres

/// A pool, or a connection inside a transaction, from which rows are read.
package protocol RowSource: Actor {
    func rows(
        _ sql: String, _ parameters: [any PostgresEncodable]
    ) async throws(PostgresError) -> PostgresRows
}

extension PostgresConnection: RowSource {
    package func rows(
        _ sql: String, _ parameters: [any PostgresEncodable]
    ) async throws(PostgresError) -> PostgresRows { try await query(sql, parameters) }
}

extension PostgresPool: RowSource {
    package func rows(
        _ sql: String, _ parameters: [any PostgresEncodable]
    ) async throws(PostgresError) -> PostgresRows { try await query(sql, parameters, retrying: true) }
}
