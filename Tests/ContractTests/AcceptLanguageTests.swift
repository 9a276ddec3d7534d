import Testing

@testable import Contract

@Suite("Accept-Language")
struct AcceptLanguageTests {
    private static func choice(_ fields: String..., else account: Language? = nil) -> Language {
        AcceptLanguage(fields).choose(else: account)
    }

    @Test(
        "what is not of its syntax is ignored, and the rest counts",
        arguments: [
            "", ",", ";", "=", "q=1", ";q=1", "*;q", "de;", "de;q", "de;q=", "de;q=2", "de;q=1.5",
            "de;q=0.1234",
            "de;q=-1", "de;q=.5", "de;q=1,5;q", "de;q=0.5;x=1", "d\u{00E9}", "de_AT", "abcdefghi", "de--AT",
            "-de", "de-", "12", "\u{0}", "de\u{0}", "*-de", "de;q=a", "de q=1", "\u{FF44}\u{FF45}",
        ])
    func malformed(element: String) {
        #expect(Self.choice(element) == (element == "de;q=1,5;q" ? .german : .english))
        #expect(Self.choice("\(element),ja;q=0.1") == (element == "de;q=1,5;q" ? .german : .japanese))
        #expect(Self.choice("ja;q=0.1,\(element)") == (element == "de;q=1,5;q" ? .german : .japanese))
    }

    @Test(
        "the best weight wins, and of equal ones the first",
        arguments: [
            ("de", Language.german), ("DE", .german), ("de-AT", .german), ("de-Latn-AT-1996", .german),
            ("ja-JP", .japanese), ("en-GB", .english), ("fr", .english), ("fr, ja", .japanese),
            ("fr;q=0.9, de;q=0.1", .german), ("de;q=0.5, ja", .japanese), ("de, ja", .german),
            ("ja, de", .japanese), ("de;q=0.999, ja;q=1.000", .japanese), ("ja;q=0.001", .japanese),
            (" de ; q=0.3 \t,\tja ; Q=0.4 ", .japanese), ("den", .english), ("x-de", .english),
            ("i-default", .english), ("zh-Hant, ja;q=0.2", .japanese), ("en, de", .english),
        ])
    func weights(field: String, language: Language) {
        #expect(Self.choice(field) == language)
        #expect(Self.choice(field, else: .english) == language)
    }

    @Test("several fields are one list")
    func fields() {
        #expect(Self.choice("fr", "de;q=0.2", "ja;q=0.4") == .japanese)
    }

    @Test("without a language of ours it is the account's, else English")
    func account() {
        #expect(AcceptLanguage([]).choose(else: nil) == .english)
        for field in ["fr", "*", "*;q=0.1", "fr;q=1, *;q=0.5", "nonsense;;;"] {
            #expect(Self.choice(field, else: .german) == .german)
            #expect(Self.choice(field) == .english)
        }
        // A star is for what is left (RFC 4647 §3.4).
        #expect(Self.choice("*, ja;q=0.1", else: .german) == .japanese)
        #expect(Self.choice("en", else: .german) == .english)
    }

    @Test("a weight of zero refuses a language, also the account's")
    func refused() {
        #expect(Self.choice("de;q=0", else: .german) == .english)
        #expect(Self.choice("de;q=0.000, *", else: .german) == .english)
        #expect(Self.choice("de-AT, de;q=0") == .english)
        #expect(Self.choice("en;q=0") == .german)
        #expect(Self.choice("en;q=0, ja;q=0.1") == .japanese)
        #expect(Self.choice("en;q=0, de;q=0, ja;q=0") == .english)
        // A region alone says nothing of the others.
        #expect(Self.choice("de-AT;q=0, de") == .german)
    }

    @Test("of ten thousand elements only the first ones are read")
    func long() {
        let front = String(repeating: "fr,", count: 10_000)
        #expect(Self.choice(front + "de") == .english)
        #expect(Self.choice("de," + front) == .german)
        #expect(Self.choice(String(repeating: "a", count: 10_240) + ",de") == .german)
        #expect(Self.choice(String(repeating: ";", count: 10_240) + ",de") == .german)
        #expect(Self.choice(String(repeating: "-", count: 10_240) + ",de") == .german)
        let half = String(repeating: "fr,", count: 40)
        #expect(Self.choice(half, half + "de") == .english)
        // The bound holds for all fields together.
        #expect(Self.choice(front, "de", "ja") == .english)
        #expect(Self.choice(half, half, "de") == .english)
    }

    @Test(
        "locales have a language, or none",
        arguments: [
            ("de_AT.UTF-8", Language.german), ("de", .german), ("de.UTF-8", .german), ("de@euro", .german),
            ("ja_JP.eucJP", .japanese), ("en_GB", .english), ("DE-at", .german), ("C", nil), ("POSIX", nil),
            ("C.UTF-8", nil), ("", nil), ("fr_FR.UTF-8", nil), ("deutsch", nil), ("_de", nil),
        ] as [(String, Language?)])
    func locales(name: String, language: Language?) {
        #expect(Language(locale: name) == language)
    }
}
