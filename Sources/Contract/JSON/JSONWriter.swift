/// An encoder that writes JSON (RFC 8259) as it goes, without a tree of values in between.
///
/// The members of an object are sorted by name when the object ends. A value has to be complete before the
/// next one begins, as it is in synthesized code: there are no nested containers.
final class JSONWriter: Encoder {
    /// The shape that the value that is being encoded has turned out to have.
    private enum Shape {
        case single
        case list
        case object(start: Int, members: [Member])
    }

    /// The bytes of a name, a colon, a value and a comma.
    private struct Member {
        let name: String
        let start: Int
        let end: Int
    }

    private(set) var bytes: [UInt8] = []
    private var shape = Shape.single

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A type may take a second container of the same object.
        if case .object = shape { return KeyedEncodingContainer(Members(writer: self)) }
        shape = .object(start: bytes.count, members: [])
        bytes.append(UInt8(ascii: "{"))
        return KeyedEncodingContainer(Members(writer: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape = .list
        bytes.append(UInt8(ascii: "["))
        return Elements(writer: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(writer: self) }

    /// Writes a value of any kind.
    func write(_ value: some Encodable) throws {
        if let value = value as? any JSONWritable { return try value.write(json: &bytes) }
        let outer = shape
        shape = .single
        let start = bytes.count
        try value.encode(to: self)
        close(from: start)
        shape = outer
    }

    /// Ends the value that began there.
    private func close(from start: Int) {
        switch shape {
        case .single: if bytes.count == start { bytes.append(contentsOf: "{}".utf8) }
        case .list: end(with: UInt8(ascii: "]"), emptyAt: start + 1)
        case .object(_, let members):
            if zip(members, members.dropFirst()).contains(where: { $1.name < $0.name }) {
                sort(members, from: start + 1)
            }
            end(with: UInt8(ascii: "}"), emptyAt: start + 1)
        }
    }

    /// Ends a list or an object: the bracket takes the place of the last comma.
    private func end(with bracket: UInt8, emptyAt start: Int) {
        if bytes.count > start { bytes.removeLast() }
        bytes.append(bracket)
    }

    private func sort(_ members: [Member], from start: Int) {
        let written = Array(bytes[start...])
        bytes.removeLast(written.count)
        for member in members.sorted(by: { $0.name < $1.name }) {
            bytes.append(contentsOf: written[(member.start - start)..<(member.end - start)])
        }
    }

    private func writeNull() { bytes.append(contentsOf: "null".utf8) }

    /// Writes a member of the object that is being encoded.
    private func member(_ key: some CodingKey, _ write: () throws -> Void) rethrows {
        let (name, start) = (key.stringValue, bytes.count)
        bytes.append(jsonString: name)
        bytes.append(UInt8(ascii: ":"))
        try write()
        bytes.append(UInt8(ascii: ","))
        guard case .object(let first, var members) = shape else {
            preconditionFailure("a member is written after its object has ended")
        }
        shape = .single  // The list of members is not copied then.
        members.append(Member(name: name, start: start, end: bytes.count))
        shape = .object(start: first, members: members)
    }
}

extension JSONWriter {
    // One generic method stands for those of all types, which `write` tells apart.

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let writer: JSONWriter
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { writer.member(key) { writer.writeNull() } }

        func encode(_ value: some Encodable, forKey key: Key) throws {
            try writer.member(key) { try writer.write(value) }
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { refuseNesting() }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { refuseNesting() }

        func superEncoder() -> any Encoder { refuseNesting() }

        func superEncoder(forKey key: Key) -> any Encoder { refuseNesting() }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let writer: JSONWriter
        var codingPath: [any CodingKey] { [] }
        private(set) var count = 0

        init(writer: JSONWriter) { self.writer = writer }

        mutating func encodeNil() {
            writer.writeNull()
            end()
        }

        mutating func encode(_ value: some Encodable) throws {
            try writer.write(value)
            end()
        }

        private mutating func end() {
            writer.bytes.append(UInt8(ascii: ","))
            count += 1
        }

        func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            refuseNesting()
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { refuseNesting() }

        func superEncoder() -> any Encoder { refuseNesting() }
    }

    private struct Single: SingleValueEncodingContainer {
        let writer: JSONWriter
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { writer.writeNull() }

        func encode(_ value: some Encodable) throws { try writer.write(value) }
    }

    private static func refuseNesting() -> Never {
        preconditionFailure("JSONWriter has no nested containers: a value inside a value has its own type")
    }
}
