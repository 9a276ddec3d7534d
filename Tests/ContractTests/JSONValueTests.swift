import Codecs
import Testing

@testable import Contract

struct JSONValueTests {
    @Test("the members of an object keep their order, and numbers their text")
    func reads() throws {
        let json = try parse(
            #" { "b" : [ 1 , -0.50e+2 , true , false , null ] , "a" : "\u00e9\ud83c\udf7a\n\/" } "#)
        #expect(
            json
                == .object([
                    .init(
                        name: "b",
                        value: .array([.number("1"), .number("-0.50e+2"), .bool(true), .bool(false), .null])),
                    .init(name: "a", value: .string("é🍺\n/")),
                ]))
        #expect(json["b"]?.array?[1].double == -50)
        #expect(json["b"]?.array?[0].int == 1)
        #expect(json["b"]?.array?[1].int == nil)
    }

    @Test(
        "what RFC 8259 does not allow is refused",
        arguments: [
            "", " ", "{", "}", "[", "]", "[1,]", "{\"a\":1,}", "[,1]", "[1 2]", "{\"a\" 1}", "{a:1}",
            "{'a':1}",
            "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "01", "-", "-01", "+1", "1.", ".5", "1e", "1e+",
            "0x10",
            "NaN", "Infinity", "tru", "True", "nul", "nullx", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"",
            "\"\\u12g4\"",
            "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0061\"", "\"\\ud800x\"", "\"\\ud800\\ud800\"",
            "\"\n\"",
            "\"\u{0}\"", "\"\t\"", "1 1", "{} {}", "[1]//", "/**/1", "\u{FEFF}1", "\u{A0}1", "[\u{B}1]",
        ])
    func refused(text: String) {
        #expect(throws: JSONError.self) { try parse(text) }
    }

    @Test(
        "bytes that are not UTF-8 are refused, also within strings",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF],
        ])
    func notUTF8(bytes: [UInt8]) throws {
        let error = #expect(throws: JSONError.self) { try JSONValue.parse([0x22, 0x61] + bytes + [0x22]) }
        #expect(error?.offset == 2)
    }

    @Test("nesting is allowed to the limit and no further", arguments: [31, 32, 33, 100_000])
    func depth(levels: Int) {
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect((try? parse(text)) != nil || levels > 32)
        #expect((try? parse(text)) == nil || levels <= 32)
    }

    @Test("depth is counted in levels, not in values")
    func siblings() throws {
        _ = try JSONValue.parse(Array("[[],[],{\"a\":{}},[]]".utf8), maximumDepth: 3)
    }

    @Test("an error says where")
    func offset() {
        let error = #expect(throws: JSONError.self) { try parse("{\"a\":1,\"a\":2}") }
        #expect(error?.offset == 7)
    }

    @Test("garbage is read or refused, and never traps")
    func garbage() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix64(seed: seed)
        let alphabet = Array("{}[]\",:\\u0dD8aeE+-.1 tfn\n\u{7F}é".utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            guard let value = try? JSONValue.parse(bytes) else { continue }
            #expect((try? JSONValue.parse(bytes.span.bytes)) == value, "seed \(seed)")
        }
    }

    @Test("a string survives being written and read")
    func strings() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<8 {
                let limit: UInt32 = Bool.random(using: &generator) ? 0x80 : 0x11_0000
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            var bytes: [UInt8] = []
            bytes.append(jsonString: text)
            let read = try JSONValue.parse(bytes).string
            #expect(read?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "seed \(seed)")
        }
    }

    @Test("decoding refuses what the decoder of the toolchain would take")
    func decodes() throws {
        let good = try JSON.decode(Token.self, from: Array(#"{"token":"t","later":[1]}"#.utf8))
        #expect(good == Token(token: "t"))
        #expect(throws: JSONError.self) { try JSON.decode(Token.self, from: Array(#"{"token":"t",}"#.utf8)) }
        #expect(throws: JSONError.self) {
            try JSON.decode(Token.self, from: Array(#"{"token":"t","token":"u"}"#.utf8))
        }
    }

    private func parse(_ text: String) throws(JSONError) -> JSONValue {
        try JSONValue.parse(Array(text.utf8))
    }
}
