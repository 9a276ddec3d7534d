extension JSONValue {
    package static func integer(_ number: some BinaryInteger) -> JSONValue { .number("\(number)") }

    /// Returns a number; null if it is not finite, which JSON has no text for.
    package static func real(_ number: Double) -> JSONValue { number.isFinite ? .number("\(number)") : .null }

    package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    package static func time(_ time: Timestamp?) -> JSONValue { optional(time?.description) }

    package static func members(_ members: [(name: String, value: JSONValue)]) -> JSONValue {
        .object(members.map { Member(name: $0.name, value: $0.value) })
    }

    /// Returns an object of the members that have a value.
    package static func present(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// The value as JSON, its members in their order.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Appends the value as JSON, its members in their order.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .object(let members):
            bytes.append("{")
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(",") }
                bytes.append(jsonString: member.name)
                bytes.append(":")
                member.value.append(to: &bytes)
            }
            bytes.append("}")
        case .array(let elements):
            bytes.append("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(",") }
                element.append(to: &bytes)
            }
            bytes.append("]")
        case .string(let text): bytes.append(jsonString: text)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .bool(let value): value.write(json: &bytes)
        case .null: bytes.append("null")
        }
    }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .members(elements.map { (name: $0, value: $1) })
    }
}
