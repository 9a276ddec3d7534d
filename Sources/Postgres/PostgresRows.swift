import CPostgres

/// The result of a statement: its rows, and the number of rows that it affected.
package struct PostgresRows: RandomAccessCollection, Sendable {
    let result: ResultHandle

    package var startIndex: Int { 0 }
    package var endIndex: Int { result.rowCount }
    package subscript(index: Int) -> PostgresRow {
        precondition(index >= 0 && index < result.rowCount, "row out of range")
        return PostgresRow(result: result, index: index)
    }

    /// The number of rows that were inserted, updated, deleted, copied or selected.
    package var affected: Int { result.affected }
}

/// One row, whose columns count from 0.
package struct PostgresRow: Sendable {
    package let result: ResultHandle
    package let index: Int

    // These two functions are inlined into their callers, where the compiler knows the types.

    /// Returns the value of a column; throws `.decoding`, naming the column, if it is NULL or of another
    /// type.
    @inlinable @inline(__always)
    package func decode<Value: PostgresDecodable>(
        _ column: Int, _ type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard column >= 0, column < result.columnCount else {
            throw .decoding("no column \(column) in \(result.columnCount)")
        }
        do throws(PostgresError) {
            defer { extendLifetime(result) }
            return try Value(postgres: result.field(row: index, column: column))
        } catch {
            guard case .decoding(let reason) = error else { throw error }
            throw .decoding("column \(result.name(of: column)) as \(Value.self): \(reason)")
        }
    }

    /// As `decode`; nil if the column is NULL.
    @inlinable @inline(__always)
    package func decodeIfPresent<Value: PostgresDecodable>(
        _ column: Int, _ type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        let isNull = 0..<result.columnCount ~= column && result.field(row: index, column: column).isNull
        return isNull ? nil : try decode(column, type)
    }

    /// Returns the values of all columns: `let (id, name) = try row.decode(Int64.self, String?.self)`.
    package func decode<each Value: PostgresDecodable>(
        _ types: repeat (each Value).Type
    ) throws(PostgresError) -> (repeat each Value) {
        var column = 0
        return (repeat try decodeNext((each Value).self, &column))
    }

    private func decodeNext<Value: PostgresDecodable>(
        _ type: Value.Type, _ column: inout Int
    ) throws(PostgresError) -> Value {
        defer { column += 1 }
        return try decode(column, type)
    }
}
