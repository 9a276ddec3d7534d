/// An optional value is encoded as NULL if it is nil.
extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package var isPostgresNull: Bool {
        switch self {
        case .some(let value): value.isPostgresNull
        case .none: true
        }
    }

    package func encodePostgres(into bytes: inout [UInt8]) { self?.encodePostgres(into: &bytes) }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package init(postgres field: PostgresField) throws(PostgresError) {
        self = field.isNull ? nil : try Wrapped(postgres: field)
    }
}

/// An array is encoded with one dimension; `[UInt8]` is `bytea`.
extension Array: PostgresEncodable where Element: PostgresEncodable {
    package static var postgresType: PostgresType { Element.postgresArrayType }

    package func encodePostgres(into bytes: inout [UInt8]) {
        Element.encodePostgresArray(self, into: &bytes)
    }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    package init(postgres field: PostgresField) throws(PostgresError) {
        self = try Element.decodePostgresArray(field)
    }
}

/// A byte is encoded as `smallint`, and an array of bytes as `bytea`.
extension UInt8: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }
    package static var postgresArrayType: PostgresType { .bytea }

    package func encodePostgres(into bytes: inout [UInt8]) { bytes.appendBigEndian(Int16(self)) }

    package static func encodePostgresArray(_ values: [UInt8], into bytes: inout [UInt8]) {
        bytes.append(contentsOf: values)
    }

    package init(postgres field: PostgresField) throws(PostgresError) {
        guard let value = UInt8(exactly: try field.integer(Int16.self, of: .int2)) else {
            throw .decoding("a number beyond a byte")
        }
        self = value
    }

    package static func decodePostgresArray(_ field: PostgresField) throws(PostgresError) -> [UInt8] {
        [UInt8](try field.bytes(of: .bytea))
    }
}
