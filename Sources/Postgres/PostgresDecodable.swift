/// A value that can be read from a column in PostgreSQL's binary form. The type of the column is checked.
package protocol PostgresDecodable {
    /// Reads the field; throws `.decoding` if it is NULL or of another type.
    init(postgres field: PostgresField) throws(PostgresError)

    /// Reads an array of such values; by default an array of the type.
    static func decodePostgresArray(_ field: PostgresField) throws(PostgresError) -> [Self]
}

package typealias PostgresCodable = PostgresEncodable & PostgresDecodable

extension PostgresDecodable {
    package static func decodePostgresArray(_ field: PostgresField) throws(PostgresError) -> [Self] {
        var reader = FieldReader(try field.present())
        let dimensions = try reader.integer(Int32.self)
        _ = try reader.integer(Int32.self)  // whether there are NULLs
        let elementType = try reader.integer(UInt32.self)
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw .decoding("an array of \(dimensions) dimensions") }
        let count = try reader.integer(Int32.self)
        _ = try reader.integer(Int32.self)  // index of the first element
        // Each element takes four bytes at least, so the announced count is checked before anything is
        // reserved.
        guard count >= 0, Int(count) <= reader.remaining / 4 else { throw .decoding("a cut array") }
        var values: [Self] = []
        values.reserveCapacity(Int(count))
        for _ in 0..<count { values.append(try Self(postgres: try reader.field(of: elementType))) }
        return values
    }
}
