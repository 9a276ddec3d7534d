extension Int64: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.appendBigEndian(self) }

    /// Reads any integer type of PostgreSQL.
    package init(postgres field: PostgresField) throws(PostgresError) {
        switch field.type {
        case PostgresType.int2.oid: self = Int64(try field.integer(Int16.self, of: .int2))
        case PostgresType.int4.oid: self = Int64(try field.integer(Int32.self, of: .int4))
        default: self = try field.integer(of: .int8)
        }
    }
}

extension Int: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.appendBigEndian(Int64(self)) }
    package init(postgres field: PostgresField) throws(PostgresError) {
        self = Int(try Int64(postgres: field))
    }
}

extension Int32: PostgresCodable {
    package static var postgresType: PostgresType { .int4 }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
    package init(postgres field: PostgresField) throws(PostgresError) {
        switch field.type {
        case PostgresType.int2.oid: self = Int32(try field.integer(Int16.self, of: .int2))
        default: self = try field.integer(of: .int4)
        }
    }
}

extension Int16: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
    package init(postgres field: PostgresField) throws(PostgresError) { self = try field.integer(of: .int2) }
}

extension Double: PostgresCodable {
    package static var postgresType: PostgresType { .float8 }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.appendBigEndian(bitPattern) }
    package init(postgres field: PostgresField) throws(PostgresError) {
        switch field.type {
        case PostgresType.float4.oid:
            self = Double(Float(bitPattern: try field.integer(UInt32.self, of: .float4)))
        default: self = Double(bitPattern: try field.integer(UInt64.self, of: .float8))
        }
    }
}

extension Bool: PostgresCodable {
    package static var postgresType: PostgresType { .bool }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
    package init(postgres field: PostgresField) throws(PostgresError) {
        self = try field.integer(UInt8.self, of: .bool) != 0
    }
}

/// A `UInt128` is encoded as `uuid`.
extension UInt128: PostgresCodable {
    package static var postgresType: PostgresType { .uuid }
    package func encodePostgres(into bytes: inout [UInt8]) { bytes.appendBigEndian(self) }

    package static func encodePostgresArray(_ values: [UInt128], into bytes: inout [UInt8]) {
        bytes.appendPostgresArray(values)
    }

    package init(postgres field: PostgresField) throws(PostgresError) { self = try field.integer(of: .uuid) }
}
