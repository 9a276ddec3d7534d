import Codecs
import FoundationEssentials
import Testing

@testable import Contract

struct JSONReaderTests {
    /// Everything that a type can ask a decoder for.
    private struct Everything: Codable, Equatable {
        var texts: [String: String?]
        var small: UInt8
        var integer: Int64
        var large: UInt64
        var double: Double
        var float: Float
        var isSo: Bool
        var optional: [Int?]?
        var nested: [[String: [Bool]]]
        var choice: Choice
        var id: Identifier
        var numbers: [Int: Double]
    }

    private enum Choice: Codable, Equatable {
        case none
        case one(Int, name: String)
    }

    private static func text(using generator: inout SplitMix64) -> String {
        let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "\n", "\u{0}", "é", "日", "😀", "/", " "]
        let chosen = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            scalars.randomElement(using: &generator)!
        }
        return String(String.UnicodeScalarView(chosen))
    }

    private static func everything(using generator: inout SplitMix64) -> Everything {
        func count() -> Range<Int> { 0..<Int.random(in: 0...3, using: &generator) }
        var texts: [String: String?] = [:]
        for _ in count() { texts[text(using: &generator)] = .some(text(using: &generator)) }
        return Everything(
            texts: texts, small: .random(in: .min ... .max, using: &generator),
            integer: .random(in: .min ... .max, using: &generator),
            large: .random(in: .min ... .max, using: &generator),
            double: .random(in: -1e300...1e300, using: &generator),
            float: .random(in: -1e30...1e30, using: &generator), isSo: .random(using: &generator),
            optional: .random(using: &generator) ? count().map { $0 == 1 ? nil : $0 } : nil,
            nested: count().map { _ in [text(using: &generator): count().map { $0 == 0 }] },
            choice: .random(using: &generator) ? .none : .one(7, name: text(using: &generator)),
            id: Identifier.v4(using: &generator),
            numbers: [.random(in: -9...9, using: &generator): .random(in: 0...1, using: &generator)])
    }

    @Test("values of every shape that Foundation writes are read again")
    func readAgain() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let value = Self.everything(using: &generator)
            let bytes = [UInt8](try JSONEncoder().encode(value))
            let note = "seed \(seed): \(String(decoding: bytes, as: UTF8.self))"
            #expect(try JSON.decode(Everything.self, from: bytes) == value, "\(note)")
        }
    }

    private struct Person: Decodable, Equatable {
        var name: String
        var age: UInt8?
        var friends: [Person]?
    }

    /// Returns what is wrong with a text, and where.
    private static func fault(_ read: () throws -> some Any) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
        do {
            return "read as \(try read())"
        } catch DecodingError.keyNotFound(let key, let context) {
            return "no \(key.stringValue) in \(path(context))"
        } catch DecodingError.valueNotFound(_, let context) {
            return "nothing in \(path(context))"
        } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context) {
            return "not of the type in \(path(context))"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "what a type cannot be read from is refused as Foundation refuses it, with the same path",
        arguments: [
            #"{"name":"a"}"#, #"{"name":"a","age":null,"more":[{}]}"#, #"{"name":"a","age":255}"#,
            #"{"name":"a","age":1.0}"#, #"{"name":"a","age":2e1}"#, #"{"name":"a","age":"1"}"#,
            #"{"name":"a","age":true}"#, #"{"age":1}"#, #"{"name":null}"#,
            #"{"name":1}"#, #"{"name":{}}"#, "[]", "1", "null", #""name""#,
            #"{"name":"a","friends":{}}"#, #"{"name":"a","friends":[{"name":"b"},{"age":1}]}"#,
            #"{"name":"a","friends":[{"name":"b","friends":[{"name":"c","age":"d"}]}]}"#,
            #"{"name":"a","friends":[null]}"#,
        ])
    func refusals(text: String) {
        let bytes = Array(text.utf8)
        let ours = Self.fault { try JSON.decode(Person.self, from: bytes) }
        #expect(ours == Self.fault { try JSONDecoder().decode(Person.self, from: Data(bytes)) })
    }

    @Test("a number that does not fit is refused with its path", arguments: ["256", "-1", "1.5", "1e400"])
    func numbers(text: String) {
        let bytes = Array(#"{"name":"a","age":\#(text)}"#.utf8)
        #expect(Self.fault { try JSON.decode(Person.self, from: bytes) } == "not of the type in age")
    }

    @Test(
        "no number is read as another one",
        arguments: ["9223372036854775808", "-9223372036854775809", "9007199254740993.0", "1e18", "1.5"])
    func otherIntegers(text: String) throws {
        #expect(throws: DecodingError.self) { try JSON.decode(Int64.self, from: Array(text.utf8)) }
    }

    @Test("the largest and the smallest integers of each width are read and written")
    func widths() throws {
        func check<Integer: FixedWidthInteger & Codable>(_ type: Integer.Type) throws {
            for value in [Integer.min, Integer.max] {
                #expect(try JSON.decode(type, from: Array(value.description.utf8)) == value)
                #expect(try JSON.encode(value) == Array(value.description.utf8))
            }
        }
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(Int128.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
        try check(UInt128.self)
    }

    /// Reads a list by hand: two numbers in a list of their own, an object, what an ancestor reads, and null.
    private struct ByHand: Decodable, Equatable {
        var numbers: [Int] = []
        var name = ""
        var ancestor: Bool
        var parent: Bool
        var isNullLast: Bool
        var endsWith = ""

        enum Key: String, CodingKey { case list, name, `super` }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            ancestor = try Bool(from: members.superDecoder())
            parent = try Bool(from: members.superDecoder(forKey: .super))
            var list = try members.nestedUnkeyedContainer(forKey: .list)
            var inner = try list.nestedUnkeyedContainer()
            while !inner.isAtEnd { numbers.append(try inner.decode(Int.self)) }
            name = try list.nestedContainer(keyedBy: Key.self).decode(String.self, forKey: .name)
            // Whatever is not read stays the next element.
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
            #expect(try list.decodeNil() == false)
            endsWith = try String(from: list.superDecoder())
            isNullLast = try list.decodeNil()
            #expect(list.isAtEnd && list.currentIndex == list.count)
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        }
    }

    @Test("containers in containers are read one by one, and what cannot be read stays the next element")
    func byHand() throws {
        let bytes = Array(#"{"super":true,"list":[[1,2],{"name":"a"},"end",null]}"#.utf8)
        let ours = try JSON.decode(ByHand.self, from: bytes)
        #expect(try ours == JSONDecoder().decode(ByHand.self, from: Data(bytes)))
        #expect(ours.numbers == [1, 2] && ours.name == "a" && ours.endsWith == "end" && ours.isNullLast)
    }
}
