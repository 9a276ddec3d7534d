import Contract

/// A JSON value as a Swift literal, for documents that this program writes.
indirect enum JSONNode: Sendable {
    case object([String: JSONNode])
    case array([JSONNode])
    case string(String)
    case integer(Int)
    case bool(Bool)

    /// The JSON of the value, with the members of objects in the order of their names.
    var json: [UInt8] {
        var bytes: [UInt8] = []
        write(json: &bytes)
        return bytes
    }

    /// Appends the JSON of the value.
    func write(json bytes: inout [UInt8]) {
        switch self {
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (place, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(jsonString: member.key)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(json: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (place, element) in elements.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(json: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .string(let text): bytes.append(jsonString: text)
        case .integer(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .bool(let value): bytes.append(contentsOf: "\(value)".utf8)
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
