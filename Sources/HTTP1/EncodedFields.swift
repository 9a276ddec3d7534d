/// Encoded field lines, for fields that are the same in many responses.
package struct EncodedFields: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The range of the last field's value.
    private var lastValue = 0..<0

    package init() {}

    /// Appends a field as `FieldEncoder` writes it.
    package mutating func append(_ name: String, _ value: String) {
        FieldEncoder.append(name, value, to: &bytes)
        let end = max(bytes.count - 2, 0)
        lastValue = max(end - value.utf8.count, 0)..<end
    }

    /// Lets `write` replace the value of the last field by another of the same length, given the bytes and
    /// the range of the value in them.
    package mutating func overwriteLastValue(_ write: (inout MutableSpan<UInt8>, Range<Int>) -> Void) {
        let range = lastValue
        var span = bytes.mutableSpan
        write(&span, range)
        for index in range where span[index].isControl { span[index] = .space }
    }

    /// Removes all fields, and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lastValue = 0..<0
    }
}
