/// The encoded form of changes that happen together.
///
///     | length 4 | check of the length 4 | changes … | check of the changes 4 | line feed |
///
/// Integers have their lowest byte first. The length is that of the changes. It has a check of its own, so
/// that damage to it is not taken for a record that was cut off. The line feed ensures that no complete
/// record ends with a zero, as space does that was allocated to a file and never written.
enum JournalRecord {
    static let headBytes = 8
    static let tailBytes = 5

    enum Reading: Equatable {
        /// The changes, and the position of the next record.
        case record([OutgoingChange], end: Int)
        case nothing
        /// The last record was never written completely.
        case torn
        case damaged
    }

    static func encode(_ changes: [OutgoingChange]) -> [UInt8] {
        var payload: [UInt8] = []
        for change in changes { append(change, to: &payload) }
        var record: [UInt8] = []
        append(UInt32(payload.count), to: &record)
        append(CRC32.checksum(record), to: &record)
        record += payload
        append(CRC32.checksum(payload), to: &record)
        record.append(UInt8(ascii: "\n"))
        return record
    }

    /// Reads the record at `start`. `written` is the position of the zeros that end the file, if any.
    static func read(_ bytes: [UInt8], at start: Int, written: Int) -> Reading {
        guard start < bytes.count else { return .nothing }
        guard written - start >= headBytes else { return .torn }
        let head = bytes[start..<(start + 4)]
        guard integer(bytes, at: start + 4) == CRC32.checksum(head) else { return .damaged }
        let length = Int(integer(bytes, at: start))
        let payload = (start + headBytes)..<(start + headBytes + length)
        let end = payload.upperBound + tailBytes
        guard written >= end else { return .torn }
        guard bytes[end - 1] == UInt8(ascii: "\n"),
            integer(bytes, at: payload.upperBound) == CRC32.checksum(bytes[payload]),
            let changes = changes(bytes[payload])
        else { return .damaged }
        return .record(changes, end: end)
    }

    private static func append(_ change: OutgoingChange, to bytes: inout [UInt8]) {
        switch change {
        case .add(let message):
            bytes.append(UInt8(ascii: "+"))
            append(Array(message.id.utf8), to: &bytes)
            append(Array(message.type.utf8), to: &bytes)
            append(message.text, to: &bytes)
        case .remove(let id):
            bytes.append(UInt8(ascii: "-"))
            append(Array(id.utf8), to: &bytes)
        }
    }

    private static func append(_ field: [UInt8], to bytes: inout [UInt8]) {
        append(UInt32(field.count), to: &bytes)
        bytes += field
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    private static func integer(_ bytes: [UInt8], at start: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }

    private static func changes(_ payload: ArraySlice<UInt8>) -> [OutgoingChange]? {
        var rest = payload
        var changes: [OutgoingChange] = []
        while let kind = rest.popFirst() {
            guard let id = text(&rest) else { return nil }
            switch kind {
            case UInt8(ascii: "+"):
                guard let type = text(&rest), let body = field(&rest) else { return nil }
                changes.append(.add(OutgoingMessage(id: id, type: type, text: Array(body))))
            case UInt8(ascii: "-"): changes.append(.remove(id: id))
            default: return nil
            }
        }
        return changes
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
        field(&rest).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func field(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= 4 else { return nil }
        let length = (0..<4).reduce(UInt32(0)) { $0 | UInt32(rest[rest.startIndex + $1]) << UInt32(8 * $1) }
        rest = rest.dropFirst(4)
        guard rest.count >= Int(length) else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return rest.prefix(Int(length))
    }
}
