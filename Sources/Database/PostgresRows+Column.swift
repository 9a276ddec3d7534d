import Postgres

extension PostgresRows {
    /// Returns the values of the first column; throws as `PostgresRow.decode`.
    func column<Value: PostgresDecodable>(_ type: Value.Type = Value.self) throws(PostgresError) -> [Value] {
        try map { row throws(PostgresError) in try row.decode(0) }
    }
}
