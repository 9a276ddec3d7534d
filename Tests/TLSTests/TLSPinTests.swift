import TLS
import Testing

@Suite("A pin")
struct TLSPinTests {
    private static let zeros = String(repeating: "A", count: 43) + "="

    @Test("is read and written in curl's form")
    func form() {
        let text = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        #expect(TLSPin(text)?.description == text)
        #expect(TLSPin("sha256//\(Self.zeros)") != nil)
    }

    @Test(
        "is refused in any other",
        arguments: [
            "", "sha256//", zeros, "sha1//\(zeros)", "sha256/\(zeros)", "SHA256//\(zeros)",
            "sha256//\(zeros) ",
            "sha256//" + String(repeating: "A", count: 44), "sha256//" + String(repeating: "A", count: 40),
            "sha256//" + String(repeating: "A", count: 42) + "==",
            "sha256//" + String(repeating: "=", count: 44),
            "sha256//" + String(repeating: "A", count: 42) + "B=",
            "sha256//" + String(repeating: "*", count: 43) + "=",
            "sha256//" + String(repeating: "é", count: 22),
            "sha256//\n" + String(repeating: "A", count: 42) + "=",
        ])
    func refused(text: String) { #expect(TLSPin(text) == nil) }
}
