/// One field of a row as received: its type and its bytes. Valid only while the row is read.
package struct PostgresField {
    package let type: UInt32
    /// The bytes as received; nil for NULL.
    let bytes: UnsafeRawBufferPointer?

    package var isNull: Bool { bytes == nil }

    func present() throws(PostgresError) -> UnsafeRawBufferPointer {
        guard let bytes else { throw .decoding("NULL") }
        return bytes
    }

    /// Returns the bytes; throws unless the field is of one of the types.
    func bytes(of types: PostgresType...) throws(PostgresError) -> UnsafeRawBufferPointer {
        guard types.contains(where: { $0.oid == type }) else { throw wrongType() }
        return try present()
    }

    package func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self, of types: PostgresType...
    ) throws(PostgresError) -> Integer {
        guard types.contains(where: { $0.oid == self.type }) else { throw wrongType() }
        var reader = FieldReader(try present())
        let value = try reader.integer(Integer.self)
        guard reader.remaining == 0 else { throw .decoding("a wrong length") }
        return value
    }

    func wrongType() -> PostgresError { .decoding("a value of type \(type)") }
}

/// A reader of big-endian integers and nested fields, which never reads past the end.
struct FieldReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }

    mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws(PostgresError) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard remaining >= size else { throw .decoding("cut data") }
        defer { offset += size }
        return Integer(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }

    /// Reads a field: a length of four bytes, -1 for NULL, and that many bytes.
    mutating func field(of type: UInt32) throws(PostgresError) -> PostgresField {
        let length = try integer(Int32.self)
        if length == -1 { return PostgresField(type: type, bytes: nil) }
        guard length >= 0, Int(length) <= remaining else { throw .decoding("cut data") }
        defer { offset += Int(length) }
        return PostgresField(
            type: type, bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)]))
    }
}
