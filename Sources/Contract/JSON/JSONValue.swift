/// A JSON value as it was written: objects keep the order of their members, and numbers are kept as text.
public enum JSONValue: Hashable, Sendable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    case number(String)
    case bool(Bool)
    case null

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let value: JSONValue

        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Returns the member of that name; nil if there is none, or the value is no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text; nil for another kind of value.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The elements; nil for another kind of value.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The truth value; nil for another kind of value.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, if it is written without fraction and exponent and fits; else nil.
    public var int: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text)
    }

    /// The nearest number, if it is finite; else nil.
    public var double: Double? {
        guard case .number(let text) = self, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The name of the kind of value, for error messages.
    package var kind: Text {
        switch self {
        case .object: "an object"
        case .array: "a list"
        case .string: "a text"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}

extension JSONValue {
    /// Reads one value and nothing after it, strictly as in RFC 8259. Also refused: a byte order mark,
    /// duplicate members, lone surrogates, and more than `maximumDepth` nested objects and lists.
    public static func parse(_ bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) -> JSONValue {
        var parser = try JSONParser(bytes, maximumDepth: maximumDepth)
        return try parser.document()
    }

    /// Reads one value as above from borrowed bytes, which are copied.
    public static func parse(_ bytes: RawSpan, maximumDepth: Int = 32) throws(JSONError) -> JSONValue {
        let copy = bytes.withUnsafeBytes { Array($0) }  // Sound: the buffer does not leave the closure.
        return try parse(copy, maximumDepth: maximumDepth)
    }
}

/// The reason for which a text is not JSON as in RFC 8259.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes before the fault.
    public let offset: Int
    /// A description for people, without the offset.
    package let text: Text

    /// The description in English.
    public var message: String { text.description }

    public init(offset: Int, message: String) {
        self.init(offset: offset, text: Text(english: message))
    }

    package init(offset: Int, text: Text) {
        self.offset = offset
        self.text = text
    }

    public var description: String { "\(message) (at byte \(offset))" }
}
