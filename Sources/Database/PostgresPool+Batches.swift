import Postgres

extension PostgresPool {
    /// Runs a statement that changes at most as many rows as its last parameter, `batch`, until it changes
    /// fewer. Returns the number of rows.
    func executeAll(
        _ sql: String, _ parameters: [any PostgresEncodable], batch: Int64
    ) async throws(PostgresError) -> Int {
        var total = 0
        while true {
            let count = try await execute(sql, parameters + [batch])
            total += count
            if count < batch { return total }
        }
    }
}
