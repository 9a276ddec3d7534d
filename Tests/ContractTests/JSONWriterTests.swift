import Codecs
import FoundationEssentials
import Testing

@testable import Contract

struct JSONWriterTests {
    @Test("documents of every shape have the bytes that Foundation gives them")
    func sameAsFoundation() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix64(seed: seed)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        for _ in 0..<500 {
            let sample = Sample.random(depth: 4, using: &generator)
            let expected = [UInt8](try encoder.encode(sample))
            #expect(
                try JSON.encode(sample) == expected,
                "seed \(seed): \(String(decoding: expected, as: UTF8.self))")
        }
    }

    @Test("control characters are written as escapes, and read as they were")
    func escapes() throws {
        let text = String(String.UnicodeScalarView((0...0x7F).compactMap(Unicode.Scalar.init)))
        let bytes = try JSON.encode(text)
        #expect(bytes.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(try JSONValue.parse(bytes) == .string(text))
    }

    @Test("an object whose members come from two containers is one object")
    func twoContainers() throws {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var first = encoder.container(keyedBy: Name.self)
                try first.encode(1, forKey: Name("b"))
                var second = encoder.container(keyedBy: Name.self)
                try second.encode(2, forKey: Name("a"))
            }
        }
        #expect(try JSON.encode([Both()]) == Array(#"[{"a":2,"b":1}]"#.utf8))
    }

    @Test("a number that is not finite is refused", arguments: [Double.infinity, -.infinity, .nan])
    func notFinite(number: Double) {
        #expect(throws: EncodingError.self) { try JSON.encode(["a": [number]]) }
    }

    @Test("registrations have the bytes that Foundation gives them, and null for a missing tag or room")
    func registrations() throws {
        let (some, time) = (Identifier(value: 7 << 100), Timestamp(microseconds: 1_800_000_000_123_456))
        let slot = SlotSpan(startsAt: Timestamp(seconds: 1_800_000_000), endsAt: time)
        let least = Registration(
            id: some, slot: slot, task: "Line \"one\"\né", tag: nil, state: .registered, roomId: nil,
            createdAt: time, updatedAt: Timestamp(microseconds: -1_500_000))
        let most = Registration(
            id: some, slot: slot, task: "", tag: "a", state: .attended, roomId: Identifier(value: .max),
            createdAt: time, updatedAt: time, adjusted: .gap,
            words: SessionWords(checkIn: "in", outcome: .partly, note: "note"), routineId: some,
            with: .favourites, quiet: true)
        let lists = [
            RegistrationList(registrations: []), RegistrationList(registrations: [least], nextCursor: "next"),
            RegistrationList(registrations: [least, most]),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        for list in lists { #expect(try JSON.encode(list) == [UInt8](try encoder.encode(list))) }
        let text = String(decoding: try JSON.encode(least), as: UTF8.self)
        #expect(text.contains(#""roomId":null"#) && text.contains(#""tag":null"#) && !text.contains("note"))
        #expect(try JSON.decode(RegistrationList.self, from: JSON.encode(lists[2])) == lists[2])
    }
}

private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A value of any shape.
private indirect enum Sample: Encodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case small(UInt8)
    case double(Double)
    case text(String)
    case id(Identifier)
    case time(Timestamp)
    case optional(String?)
    case nothing
    case list([Sample])
    case object([(name: String, value: Sample)])

    private struct Nothing: Encodable {}

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .nothing: try Nothing().encode(to: encoder)
        case .list(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements {
                if case .null = element { try container.encodeNil() } else { try container.encode(element) }
            }
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members {
                if case .null = value {
                    try container.encodeNil(forKey: Name(name))
                } else {
                    try container.encode(value, forKey: Name(name))
                }
            }
        default: try encodeScalar(to: encoder)
        }
    }

    private func encodeScalar(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .small(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .id(let value): try container.encode(value)
        case .time(let value): try container.encode(value)
        case .optional(let value): try container.encode(value)
        case .null, .nothing, .list, .object: try container.encodeNil()
        }
    }

    static func random(depth: Int, using generator: inout SplitMix64) -> Sample {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 10), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(.random(in: .min ... .max, using: &generator))
        case 3: return .small(.random(in: .min ... .max, using: &generator))
        case 4: return .double(double(using: &generator))
        case 5: return .text(text(using: &generator))
        case 6: return .id(.v4(using: &generator))
        case 7:
            return .time(Timestamp(microseconds: .random(in: 0...4_000_000_000_000_000, using: &generator)))
        case 8: return .optional(Bool.random(using: &generator) ? text(using: &generator) : nil)
        case 9: return .nothing
        case 10:
            return .list(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    random(depth: depth - 1, using: &generator)
                })
        default:
            let names = ["a", "ab", "B", "createdAt", "id", "é\"", "z"].shuffled(using: &generator)
            return .object(
                names.prefix(Int.random(in: 0...5, using: &generator)).map {
                    ($0, random(depth: depth - 1, using: &generator))
                })
        }
    }

    private static func double(using generator: inout SplitMix64) -> Double {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return Double(Int.random(in: -1000...1000, using: &generator))
        case 1: return .random(in: -1e20...1e20, using: &generator)
        default: return .random(in: 0...1, using: &generator)
        }
    }

    /// Returns a text without the control characters that Foundation writes in another way.
    private static func text(using generator: inout SplitMix64) -> String {
        let letters = ["a", "é", "日", "🙂", "\"", "\\", "/", "\n", "\r", "\t", "\u{1F}", "\u{1B}", " "]
        return (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            letters.randomElement(using: &generator) ?? ""
        }.joined()
    }
}
