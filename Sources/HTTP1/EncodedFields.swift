/// Field lines as bytes, for what is the same in many responses.
package struct EncodedFields: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where the value of the last field stands.
    private var lastValue = 0..<0

    package init() {}

    /// Written as in any head: see `FieldEncoder`.
    package mutating func append(_ name: String, _ value: String) {
        FieldEncoder.append(name, value, to: &bytes)
        let end = max(bytes.count - 2, 0)
        lastValue = max(end - value.utf8.count, 0)..<end
    }

    /// Lets another value of the same length be written over that of the last field: the bytes, and where it
    /// stands in them.
    package mutating func overwriteLastValue(_ write: (inout MutableSpan<UInt8>, Range<Int>) -> Void) {
        let range = lastValue
        var span = bytes.mutableSpan
        write(&span, range)
        for index in range where span[index].isControl { span[index] = .space }
    }

    /// Empty again, with its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lastValue = 0..<0
    }
}
