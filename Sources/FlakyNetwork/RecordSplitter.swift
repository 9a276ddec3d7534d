/// Splits the bytes of one direction of a TLS connection into whole records, unchanged (RFC 8446 §5.1). Their
/// content cannot be read.
struct RecordSplitter: Sendable {
    private static let headerBytes = 5

    private var buffer: [UInt8] = []

    /// The index at which the content of each record begins.
    static let content = headerBytes

    mutating func receive(_ bytes: [UInt8]) { buffer += bytes }

    /// Returns the next complete record. Its length has two bytes, which bounds the buffer.
    mutating func next() -> [UInt8]? {
        guard buffer.count >= Self.headerBytes else { return nil }
        let length = Self.headerBytes + (Int(buffer[3]) << 8 | Int(buffer[4]))
        guard buffer.count >= length else { return nil }
        defer { buffer.removeFirst(length) }
        return Array(buffer[..<length])
    }

    /// Returns the bytes that have not made a record, when no more come.
    mutating func takeRest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }
}
