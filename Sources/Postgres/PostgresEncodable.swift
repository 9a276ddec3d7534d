/// A value that can be a parameter of a statement, or a field of a COPY, in PostgreSQL's binary form.
package protocol PostgresEncodable: Sendable {
    static var postgresType: PostgresType { get }

    /// Whether the value is NULL; then nothing is encoded.
    var isPostgresNull: Bool { get }

    /// Appends the binary form.
    func encodePostgres(into bytes: inout [UInt8])

    /// The type of an array of such values; by default an array of the type.
    static var postgresArrayType: PostgresType { get }
    static func encodePostgresArray(_ values: [Self], into bytes: inout [UInt8])
}

extension PostgresEncodable {
    package var isPostgresNull: Bool { false }

    package static var postgresArrayType: PostgresType {
        PostgresType(oid: postgresType.arrayOID, arrayOID: 0)
    }

    package static func encodePostgresArray(_ values: [Self], into bytes: inout [UInt8]) {
        bytes.appendPostgresArray(values)
    }
}

extension [UInt8] {
    mutating func appendBigEndian<Integer: FixedWidthInteger>(_ value: Integer) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends an array of one dimension. It is part of its callers, so that those that know the type pay for
    /// no more than the bytes.
    @inline(__always)
    mutating func appendPostgresArray<Value: PostgresEncodable>(_ values: [Value]) {
        appendBigEndian(Int32(values.isEmpty ? 0 : 1))  // dimensions
        appendBigEndian(Int32(values.contains { $0.isPostgresNull } ? 1 : 0))
        appendBigEndian(Value.postgresType.oid)
        if values.isEmpty { return }
        appendBigEndian(Int32(clamping: values.count))
        appendBigEndian(Int32(1))  // index of the first element
        for value in values { appendPostgresField(value) }
    }

    /// Appends a length of four bytes, -1 for NULL, and the binary form.
    @inline(__always)
    mutating func appendPostgresField(_ value: some PostgresEncodable) {
        if value.isPostgresNull { return appendBigEndian(Int32(-1)) }
        let start = count
        appendBigEndian(Int32(0))
        value.encodePostgres(into: &self)
        overwriteBigEndian(Int32(clamping: count - start - 4), at: start)
    }

    mutating func overwriteBigEndian<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
        Swift.withUnsafeBytes(of: value.bigEndian) { source in
            for (index, byte) in source.enumerated() { self[offset + index] = byte }
        }
    }
}
