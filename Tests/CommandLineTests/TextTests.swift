import ClientTesting
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

    @Test(
        "tells a slot by the minute, and by the second where it begins or ends within one",
        arguments: [
            (0, 1800, ["", ""]), (20, 40, [":20", ":40"]), (0, 20, [":00", ":20"]), (40, 60, [":40", ":00"]),
        ])
    func span(from start: Int64, to end: Int64, seconds: [String]) {
        let slot = SlotSpan(
            startsAt: Sample.start.adding(.seconds(start)), endsAt: Sample.start.adding(.seconds(end)))
        let text = LocalClock.span(slot)
        let times = text.split(separator: " ")[2].split(separator: "–")
        #expect(times.count == 2)
        for (time, second) in zip(times, seconds) { #expect(time.dropFirst(5) == second, "\(text)") }
    }
}
