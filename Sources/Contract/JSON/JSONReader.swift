/// A decoder that reads a `JSONValue`. Members that a type does not ask for are ignored, and those that are
/// optional may be missing or null.
struct JSONReader: Decoder {
    let value: JSONValue
    private(set) var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: JSONValue) { self.value = value }

    /// Decodes the value as that type, or throws a `DecodingError`.
    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let type = type as? any JSONScalar.Type else { return try Value(from: self) }
        guard let read = type.read(json: value) as? Value else { throw mismatch(type) }
        return read
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(Members(reader: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
        return Elements(reader: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(reader: self) }

    /// Returns a reader of a value inside this one.
    private func inside(_ value: JSONValue, at key: any CodingKey) -> JSONReader {
        var inner = JSONReader(value)
        inner.codingPath = codingPath + [key]
        return inner
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "\(value.kind) is no value of this type")
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

extension JSONReader {
    // One generic method stands for those of all types, which `read` tells apart.

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let reader: JSONReader
        let members: [JSONValue.Member]
        var codingPath: [any CodingKey] { reader.codingPath }
        var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

        func contains(_ key: Key) -> Bool { find(key) != nil }

        func decodeNil(forKey key: Key) throws -> Bool { try reader(of: key).value == .null }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try reader(of: key).read(type)
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            try reader(of: key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try reader(of: key).unkeyedContainer()
        }

        func superDecoder() -> any Decoder { superDecoder(at: SuperKey()) }

        func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

        private func superDecoder(at key: any CodingKey) -> any Decoder {
            reader.inside(find(key) ?? .null, at: key)
        }

        private func find(_ key: any CodingKey) -> JSONValue? {
            members.first { $0.name == key.stringValue }?.value
        }

        private func reader(of key: Key) throws -> JSONReader {
            guard let value = find(key) else {
                throw DecodingError.keyNotFound(
                    key, .init(codingPath: codingPath, debugDescription: "the member is missing"))
            }
            return reader.inside(value, at: key)
        }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let reader: JSONReader
        let elements: [JSONValue]
        private(set) var currentIndex = 0
        var codingPath: [any CodingKey] { reader.codingPath }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex == elements.count }

        init(reader: JSONReader, elements: [JSONValue]) {
            (self.reader, self.elements) = (reader, elements)
        }

        mutating func decodeNil() throws -> Bool {
            guard try next(Never?.self).value == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let value = try next(type).read(type)
            currentIndex += 1
            return value
        }

        mutating func nestedContainer<Nested>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> {
            let container = try next(type).container(keyedBy: type)
            currentIndex += 1
            return container
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            let container = try next([JSONValue].self).unkeyedContainer()
            currentIndex += 1
            return container
        }

        mutating func superDecoder() throws -> any Decoder {
            let reader = try next((any Decoder).self)
            currentIndex += 1
            return reader
        }

        /// Returns a reader of the next element, which is not passed yet: one that cannot be read stays the
        /// next one.
        private func next(_ type: Any.Type) throws -> JSONReader {
            let key = IndexKey(index: currentIndex)
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    type, .init(codingPath: codingPath + [key], debugDescription: "the list has ended"))
            }
            return reader.inside(elements[currentIndex], at: key)
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let reader: JSONReader
        var codingPath: [any CodingKey] { reader.codingPath }

        func decodeNil() -> Bool { reader.value == .null }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reader.read(type) }
    }

    private struct SuperKey: CodingKey {
        var stringValue: String { "super" }
        var intValue: Int? { nil }

        init() {}
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }

    private struct IndexKey: CodingKey {
        let index: Int
        var stringValue: String { "Index \(index)" }
        var intValue: Int? { index }

        init(index: Int) { self.index = index }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { index = intValue }
    }
}
