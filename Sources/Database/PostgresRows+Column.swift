import Postgres

extension PostgresRows {
    /// Returns the values of the first column; throws as `PostgresRow.decode`.
    func column<Value: PostgresDecodable>(_ type: Value.Type = Value.self) throws(PostgresError) -> [Value] {
        try map { row throws(PostgresError) in try row.decode(0) }
    }

    /// Returns the values of the second column, by those of the first.
    func dictionary<Key: PostgresDecodable & Hashable, Value: PostgresDecodable>()
        throws(PostgresError) -> [Key: Value]
    {
        var values: [Key: Value] = [:]
        for row in self { values[try row.decode(0, Key.self)] = try row.decode(1, Value.self) }
        return values
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
