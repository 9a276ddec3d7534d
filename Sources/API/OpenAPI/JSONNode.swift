/// A JSON value as a Swift literal, for documents that this program writes.
indirect enum JSONNode: Encodable, Sendable {
    case object([String: JSONNode])
    case array([JSONNode])
    case string(String)
    case integer(Int)
    case bool(Bool)

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .array(let elements): try container.encode(elements)
        case .string(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .bool(let value): try container.encode(value)
        }
    }

    /// Returns this object with further members.
    func adding(_ members: [String: JSONNode]) -> JSONNode {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(members) { _, added in added })
    }
}

extension JSONNode: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    init(dictionaryLiteral elements: (String, JSONNode)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }

    init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
}
