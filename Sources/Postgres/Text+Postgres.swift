extension String: PostgresCodable {
    package static var postgresType: PostgresType { .text }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }

    /// Reads text of any kind, JSON, or a label of an enumeration.
    package init(postgres field: PostgresField) throws(PostgresError) {
        var bytes: UnsafeRawBufferPointer
        switch field.type {
        case PostgresType.text.oid, PostgresType.varchar.oid, PostgresType.bpchar.oid,
            PostgresType.name.oid, PostgresType.json.oid, PostgresType.firstOfUsers...:
            bytes = try field.present()
        case PostgresType.jsonb.oid:
            bytes = try field.present()
            guard bytes.first == 1 else { throw .decoding("an unknown version of jsonb") }
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        default:
            throw field.wrongType()
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .decoding("broken UTF-8") }
        self = text
    }
}

/// JSON text that goes to a column of type `jsonb`.
package struct PostgresJSON: PostgresCodable, Hashable {
    package var text: String
    package init(_ text: String) { self.text = text }

    package static var postgresType: PostgresType { .jsonb }

    package func encodePostgres(into bytes: inout [UInt8]) {
        bytes.append(1)  // version
        bytes.append(contentsOf: text.utf8)
    }

    package init(postgres field: PostgresField) throws(PostgresError) {
        text = try String(postgres: field)
    }
}
