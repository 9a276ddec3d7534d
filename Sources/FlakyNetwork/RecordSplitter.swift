/// Bytes of one direction of a TLS connection into whole records, as they are (RFC 8446 §5.1). What is in
/// them nobody can see.
struct RecordSplitter: Sendable {
    private static let headerBytes = 5

    private var buffer: [UInt8] = []

    /// Where the content begins, in each record.
    static let content = headerBytes

    mutating func receive(_ bytes: [UInt8]) { buffer += bytes }

    /// The next record that is complete. Its length has two bytes, which bounds what is held.
    mutating func next() -> [UInt8]? {
        guard buffer.count >= Self.headerBytes else { return nil }
        let length = Self.headerBytes + (Int(buffer[3]) << 8 | Int(buffer[4]))
        guard buffer.count >= length else { return nil }
        defer { buffer.removeFirst(length) }
        return Array(buffer[..<length])
    }

    /// What has not made a record, when no more comes.
    mutating func takeRest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }
}
