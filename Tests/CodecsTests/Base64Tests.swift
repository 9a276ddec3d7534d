import Codecs
import Testing

struct Base64Tests {
    @Test("the examples of RFC 4648 §10")
    func examples() {
        let examples = [
            "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
            "foobar": "Zm9vYmFy",
        ]
        for (plain, coded) in examples {
            #expect(Base64.encode(Array(plain.utf8)) == coded)
            #expect(Base64.decode(coded) == Array(plain.utf8))
        }
    }

    @Test(
        "Base64 is read in one spelling only",
        arguments: ["A", "AA", "AAA", "AA=", "A===", "AB==", "A-==", "=A==", "AAAA====", "AA==AAAA"])
    func strict(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("both round-trip bytes of every length; Base64URL has no padding, no plus and no slash")
    func roundTrip() {
        for count in 0...300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text) == bytes)
            #expect(!text.contains("=") && !text.contains("+") && !text.contains("/"))
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        for text in ["A", "AB=", "A+BC", "AAAAB", "AB"] { #expect(Base64URL.decode(text) == nil, "\(text)") }
    }
}
