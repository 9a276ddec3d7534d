/// The rows of a COPY in binary form, one at a time: the caller appends the fields in the order of the
/// columns.
package struct CopyRow {
    private(set) var bytes: [UInt8]
    private var start = 0
    private var fieldCount: Int16 = 0

    private static let signature: [UInt8] = [
        0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00,  // "PGCOPY\n\377\r\n\0"
        0, 0, 0, 0,  // flags
        0, 0, 0, 0,  // length of the header's extension
    ]

    init() { bytes = Self.signature }

    package mutating func append(_ value: some PostgresEncodable) {
        fieldCount += 1
        bytes.appendPostgresField(value)
    }

    mutating func begin() {
        start = bytes.count
        fieldCount = 0
        bytes.appendBigEndian(fieldCount)
    }

    mutating func end() { bytes.overwriteBigEndian(fieldCount, at: start) }

    /// Appends the trailer that follows the last row.
    mutating func finish() { bytes.appendBigEndian(Int16(-1)) }

    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
