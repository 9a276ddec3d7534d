import Contract
import Testing

@testable import letsswitch

@Suite("Text on a terminal")
struct TextTests {
    @Test(
        "of other people cannot change the terminal",
        arguments: [
            "\u{1B}", "\u{0}", "\n", "\r", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200E}", "\u{2028}",
            "\u{FEFF}",
        ])
    func escapes(dangerous: String) {
        #expect(SafeText.escape("a\(dangerous)b") == "a\u{FFFD}b")
    }

    @Test("stays as it is where it is harmless", arguments: ["Zoë", "日本語", "👨‍👩‍👧", "שלום", "a b"])
    func harmless(text: String) {
        #expect(SafeText.escape(text) == text)
    }

    @Test(
        "lines up, also where characters are wide",
        arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2)])
    func width(text: String, columns: Int) {
        #expect(TextWidth.of(text) == columns)
        #expect(TextWidth.of(TextWidth.fit(text, 6)) == 6)
        #expect(TextWidth.of(TextWidth.fit(text + "日本語日本語", 6)) == 6)
    }
}
