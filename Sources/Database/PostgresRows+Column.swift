import Postgres

extension PostgresRows {
    /// Returns the values of the first column; throws as `PostgresRow.decode`.
    func column<Value: PostgresDecodable>(_ type: Value.Type = Value.self) throws(PostgresError) -> [Value] {
        try map { row throws(PostgresError) in try row.decode(0) }
    }

    /// Returns what a function, such as an initializer, makes of the columns of each row.
    func read<each Column: PostgresDecodable, Value>(
        _ make: (repeat each Column) -> Value
    ) throws(PostgresError) -> [Value] {
        try map { row throws(PostgresError) in try row.read(make) }
    }
}

extension PostgresRow {
    /// Returns what a function, such as an initializer, makes of the columns.
    func read<each Column: PostgresDecodable, Value>(
        _ make: (repeat each Column) -> Value
    ) throws(PostgresError) -> Value {
        let columns = try decode(repeat (each Column).self)
        return make(repeat each columns)
    }
}
