import Codecs
import Testing

struct PercentCodingTests {
    @Test("text survives encoding and decoding", arguments: ["", "a b/c?d&e=f+g%", "é→🍺", "\u{1}\n"])
    func roundTrip(text: String) throws {
        #expect(try PercentCoding.decode(PercentCoding.encode(text)) == text)
    }

    @Test(
        "bad escapes are refused",
        arguments: [
            ("%", .badEscape), ("%1", .badEscape), ("%g0", .badEscape), ("%%41", .badEscape), ("%00", .nul),
            ("%ff", .notUTF8), ("%C3", .notUTF8), ("%ED%A0%80", .notUTF8),
        ] as [(String, PercentCoding.Failure)])
    func refused(text: String, failure: PercentCoding.Failure) {
        #expect(throws: failure) { try PercentCoding.decode(text) }
    }
}
