/// A parser of RFC 8259 in one pass; its recursion is at most `maximumDepth` deep.
struct JSONParser {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var depth = 0

    /// Checks the encoding of the whole text first, so that strings can be cut out of it later.
    init(_ bytes: [UInt8], maximumDepth: Int) throws(JSONError) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONError(offset: 0, text: "JSON starts without a byte order mark")
        }
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw JSONError(offset: error.byteOffsets.lowerBound, text: "This is not UTF-8")
        }
    }

    mutating func document() throws(JSONError) -> JSONValue {
        let value = try self.value()
        skipWhitespace()
        guard position == bytes.count else { throw fault("Nothing may follow the value") }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipWhitespace()
        guard let byte = peek() else { throw fault("A value is missing at the end") }
        switch byte {
        case UInt8(ascii: "{"):
            return try nested { (parser) throws(JSONError) in try parser.object() }
        case UInt8(ascii: "["):
            return try nested { (parser) throws(JSONError) in try parser.array() }
        case UInt8(ascii: "\""):
            return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number())
        case UInt8(ascii: "t"):
            return try literal("true", .bool(true))
        case UInt8(ascii: "f"):
            return try literal("false", .bool(false))
        case UInt8(ascii: "n"):
            return try literal("null", .null)
        default:
            throw fault("A value cannot start like this")
        }
    }

    private mutating func nested(
        _ read: (inout JSONParser) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < maximumDepth else { throw fault("This is nested more than \(maximumDepth) deep") }
        depth += 1
        position += 1  // The opening bracket.
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipWhitespace()
            let start = position
            guard peek() == UInt8(ascii: "\"") else { throw fault("A member starts with its name in quotes") }
            let name = try string()
            guard names.insert(name).inserted else {
                throw JSONError(offset: start, text: "A member comes twice")
            }
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw fault("A colon belongs after the name of a member") }
            members.append(JSONValue.Member(name: name, value: try value()))
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw fault("A comma or } belongs after a member") }
        }
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value())
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw fault("A comma or ] belongs after an element") }
        }
    }

    private mutating func number() throws(JSONError) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if let byte = peek(), Self.isDigit(byte) { throw fault("A number has no leading zero") }
        } else {
            try digits()
        }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) {
        guard let first = peek(), Self.isDigit(first) else { throw fault("A digit is missing in a number") }
        while let byte = peek(), Self.isDigit(byte) { position += 1 }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let end = position + text.utf8CodeUnitCount
        let isMatch = text.withUTF8Buffer { end <= bytes.count && bytes[position..<end].elementsEqual($0) }
        guard isMatch else { throw fault("A value cannot start like this") }
        position = end
        return value
    }

    private mutating func string() throws(JSONError) -> String {
        var scanner = JSONStringScanner(position: position + 1)
        let text = try scanner.scan(bytes)
        position = scanner.position
        return text
    }

    private mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private func fault(_ text: Text) -> JSONError {
        JSONError(offset: position, text: text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
