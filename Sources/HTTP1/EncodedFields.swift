/// Field lines as bytes, for what is the same in many responses.
package struct EncodedFields: Sendable {
    private(set) var bytes: [UInt8] = []

    package init() {}

    /// Written as in any head: see `FieldEncoder`.
    package mutating func append(_ name: String, _ value: String) {
        FieldEncoder.append(name, value, to: &bytes)
    }

    package mutating func append(_ other: EncodedFields) { bytes.append(contentsOf: other.bytes) }

    /// Empty again, with its memory.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
