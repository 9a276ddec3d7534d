import Codecs
import Contract
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("The text of a calendar")
struct CalendarTextTests {
    private static func event(_ task: String, tag: String? = nil) -> CalendarFeeds.Event {
        var random = SplitMix64(seed: 1)
        return CalendarFeeds.Event(
            id: .v4(using: &random),
            slot: SlotSpan(startsAt: RESTWorld.noon, endsAt: RESTWorld.noon.adding(.seconds(1800))),
            task: task, tag: tag, createdAt: RESTWorld.noon, updatedAt: RESTWorld.noon, sequence: 0,
            isCancelled: false)
    }

    private static func text(_ events: [CalendarFeeds.Event], in language: Language = .english) -> String {
        let text = CalendarText(events, in: language, publicURL: "https://example.org")
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test("says in each language what it is, and how one joins")
    func languages() {
        for (language, words) in [
            (Language.english, "Another person begins then"), (.german, "Dann beginnt auch jemand anders"),
            (.japanese, "同じ時間に、ほかの人も"),
        ] {
            let text = Self.unfolded(Self.text([Self.event("x")], in: language)).joined(separator: "|")
            #expect(text.contains("DESCRIPTION:\(words)"), "\(text)")
            #expect(text.contains("letsswitch join\\n"), "\(text)")
        }
    }

    @Test("has no line of more than 75 octets, breaks no character, and loses none")
    func folding() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let alphabet: [Unicode.Scalar] = ["a", "ü", "語", "🍺", ",", ";", "\\", " ", "\u{301}"]
        for _ in 0..<300 {
            var task = ""
            for _ in 0..<Int.random(in: 1...200, using: &random) {
                task.unicodeScalars.append(alphabet.randomElement(using: &random)!)
            }
            let bytes = CalendarText([Self.event(task)], in: .english, publicURL: "https://example.org").bytes
            let whole = String(decoding: bytes, as: UTF8.self)
            let lines = whole.utf8.split(separator: UInt8(ascii: "\n"))
            #expect(lines.allSatisfy { $0.count <= 76 && $0.last == UInt8(ascii: "\r") }, "seed \(seed)")
            #expect(lines.allSatisfy { String($0) != nil }, "seed \(seed)")
            let unfolded = Self.unfolded(whole)
            #expect(
                unfolded.contains { $0.unicodeScalars.elementsEqual(Self.summary(task).unicodeScalars) },
                "seed \(seed)")
        }
    }

    private static func summary(_ task: String) -> String { "SUMMARY:" + CalendarText.escaped(task) }

    /// Returns the lines without the breaks of folding. Scalars are compared, not characters: a break may
    /// stand between a letter and its accent.
    private static func unfolded(_ text: String) -> [String] {
        var lines: [String.UnicodeScalarView] = [.init()]
        var rest = Array(text.unicodeScalars)[...]
        while let first = rest.first {
            if rest.starts(with: ["\r", "\n", " "]) {
                rest = rest.dropFirst(3)
            } else if rest.starts(with: ["\r", "\n"]) {
                rest = rest.dropFirst(2)
                lines.append(.init())
            } else {
                lines[lines.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        return lines.map { String($0) }
    }

    @Test("escapes what has a meaning, so that a task adds no line and no property")
    func escaping() {
        #expect(CalendarText.escaped("a\\b;c,d\ne") == "a\\\\b\\;c\\,d\\ne")
        #expect(CalendarText.escaped("a\r\nATTACH:x\u{0}") == "a\\nATTACH:x")
        let text = Self.text([Self.event("x\r\nEND:VEVENT", tag: "a,b")])
        #expect(text.unicodeScalars.count { $0 == "\r" } == text.unicodeScalars.count { $0 == "\n" })
        #expect(Self.unfolded(text).filter { $0 == "END:VEVENT" }.count == 1)
        #expect(Self.unfolded(text).contains("CATEGORIES:a\\,b"))
    }
}
