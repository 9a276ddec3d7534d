import Testing

@testable import HTTP1

@Suite("Cookies of a request (RFC 6265)")
struct CookieTests {
    private static func value(_ fields: String...) -> String? {
        var headers = HTTPHeaders()
        for field in fields { headers.append("Cookie", field) }
        return Cookies.value(of: "name", in: headers)
    }

    @Test(
        "are found by their name, among others",
        arguments: [
            ("name=a", "a"), ("x=1; name=a; y=2", "a"), ("x=1;name=a", "a"), ("name=\"a\"", "a"),
            ("name=", ""), ("name=a=b==", "a=b=="), ("name=a ", "a"), (" ;;; name=a;", "a"),
            ("x; name=a", "a"),
            ("na me=b; name=a", "a"), ("NAME=b; name=a", "a"), ("\u{e9}=b; name=a", "a"),
        ])
    func found(field: String, expected: String) {
        #expect(Self.value(field) == expected)
    }

    @Test(
        "that cannot be read are ignored",
        arguments: [
            "", "name", "names=a", "xname=a", "Name=a", "name =a", "name=a b", "name=a,b", "name=a\"b",
            "name=\\", "name=\u{e9}", "name=\"", "name=a; name=b", "name=a; name=a", "name=\u{7f}",
        ])
    func ignored(field: String) {
        #expect(Self.value(field) == nil)
    }

    @Test("may stand in several fields, but each name once")
    func severalFields() {
        #expect(Self.value("x=1", "name=a") == "a")
        #expect(Self.value("name=a", "name=b") == nil)
        #expect(Cookies.value(of: "name", in: [:]) == nil)
    }

    @Test("are read or ignored, whatever the bytes are", arguments: 0..<20)
    func garbage(round: Int) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let alphabet = Array("name=;\", \\\t\u{1}a\u{e9}".unicodeScalars)
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                text.append(alphabet.randomElement(using: &random) ?? "a")
            }
            if let value = Self.value(String(text)) {
                #expect(value.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3B }, "\(text)")
            }
        }
    }
}
