import Contract

/// A value in JSON, for answers that are put together here; most come ready from the database.
package indirect enum DeskJSON: Sendable {
    case object([(name: String, value: DeskJSON)])
    case array([DeskJSON])
    case string(String)
    case number(Double)
    case integer(Int64)
    case flag(Bool)
    case null
    /// JSON that was written elsewhere.
    case ready(String)

    static func optional(_ text: String?) -> DeskJSON { text.map { .string($0) } ?? .null }
    static func time(_ time: Timestamp?) -> DeskJSON { time.map { .string("\($0)") } ?? .null }

    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(jsonString: member.name)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .string(let text): bytes.append(jsonString: text)
        // JSON has no infinity.
        case .number(let number): bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
        case .integer(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .flag(let flag): bytes.append(contentsOf: "\(flag)".utf8)
        case .null: bytes.append(contentsOf: "null".utf8)
        case .ready(let text): bytes.append(contentsOf: text.utf8)
        }
    }
}

extension DeskJSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    package init(arrayLiteral elements: DeskJSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, DeskJSON)...) {
        self = .object(elements.map { (name: $0, value: $1) })
    }
}
