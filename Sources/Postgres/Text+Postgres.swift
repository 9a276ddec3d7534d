extension String: PostgresCodable {
    package static var postgresType: PostgresType { .text }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }

    /// Reads text of any kind, JSON, or a label of an enumeration.
    package init(postgres field: PostgresField) throws(PostgresError) {
        let bytes: UnsafeRawBufferPointer
        switch field.type {
        case PostgresType.text.oid, PostgresType.varchar.oid, PostgresType.bpchar.oid,
            PostgresType.name.oid, PostgresType.json.oid, PostgresType.firstOfUsers...:
            bytes = try field.present()
        default:
            throw field.wrongType()
        }
        guard let text = try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span) else {
            throw .decoding("broken UTF-8")
        }
        self.init(copying: text)
    }
}
