import Testing

@testable import Contract

/// Checks that the catalogue of languages has the texts of the sources, and no others.
@Suite("The catalogue of languages")
struct LanguageTests {
    private static let keys = Set(Catalogue.entries.map(\.key))

    /// The folders whose sentences are for the users of the service.
    private static let folders = [
        "Contract", "API", "Database", "Push", "letsswitch", "Client", "TLS", "HTTP1",
    ].map { "Sources/\($0)" }

    /// The files whose sentences are for operators, for those who write programs, or for other servers.
    private static let others = [
        "/Languages/Texts/", "/AccountData.swift", "/SchemaVersion.swift",
        "/RegistrationSpans.swift", "/Operators/", "/DatabaseReview.swift", "/DatabaseFitness.swift",
        "/SocketErrorCode.swift",
        "/RoomTunnels.swift",
        "/ManualPage.swift", "/Verification/", "/Operators/",
        "/RestoreMark.swift",
    ]
    private static let otherSentences: Set<String> = [
        "The assertion is not about a socket.",
        // Data with punctuation, names of members and options, and the lines of ping.
        "{1}: {2}: {3}.", "with", "--rrule: {1}", "PING {1}", "seq={1}: {2}",
        // The reason of an error in decoding, which no user sees.
        "This is not {1}.",
    ]

    private static let files: [String] = {
        let all: [String] = folders.flatMap { Repository.swiftFiles(below: $0) }
        return all.filter { file in !others.contains { file.contains($0) } }
    }()

    @Test("has every sentence that is for a user")
    func complete() throws {
        #expect(Self.keys.count > 250 && Self.files.count > 200)
        var count = 0
        for file in Self.files {
            for literal in StringLiterals(try #require(Repository.text(of: file))).all
            where (Self.isSentence(literal) || Self.isTaken(literal))
                && !Self.otherSentences.contains(literal.key)
            {
                count += 1
                let isThere = Self.keys.contains(literal.key)
                #expect(isThere, "\(file):\(literal.line) is in no language but English: \(literal.key)")
            }
        }
        #expect(count > 200)
    }

    private static func isSentence(_ literal: StringLiterals.Literal) -> Bool {
        let isLogged = literal.before.contains("Log.") || literal.before.contains("precondition")
        guard !isLogged, let first = literal.key.first, let last = literal.key.last else { return false }
        return (first.isUppercase || "{\"".contains(first)) && ".!?".contains(last)
            && literal.key.contains(" ")
    }

    /// The calls and declarations that take a text; a title or a word is no sentence.
    private static let takers = [
        "local(", "ScreenLine(", ".note(", ".warn(", ".advise(", ".ask(", ".usage(", "ValidationError(",
        ".ambiguous(", ": Text =", "subject:", "summary:", "details:", "meaning:", "none:", "advice:",
        // The flaws of the HTTP parser, and the outcomes of deliveries.
        ".malformed(", ".refused(", ".gone(", ".unsent(", "Outcome.Failure(",
    ]

    /// Whether the literal stands where a text is taken: right behind it, or as the title behind a name.
    private static func isTaken(_ literal: StringLiterals.Literal) -> Bool {
        let end = literal.before.lastIndex { !$0.isWhitespace }.map { literal.before.index(after: $0) }
        let before = literal.before[..<(end ?? literal.before.startIndex)]
        let isBehind = takers.contains { before.hasSuffix($0) }
        let isTitle = before.contains(/(Failure|APIError)\(\s*\.\w+,$/)
        return (isBehind || isTitle) && literal.key.replacing(/{\d+}/, with: "").contains(where: \.isLetter)
    }

    @Test("has nothing that no source has")
    func used() throws {
        var found: Set<String> = []
        let all = Repository.swiftFiles(below: "Sources").filter { !$0.contains("/Languages/Texts/") }
        for file in all {
            found.formUnion(StringLiterals(try #require(Repository.text(of: file))).all.map(\.key))
        }
        for key in Self.keys.subtracting(found).sorted() { Issue.record("no source has: \(key)") }
    }

    @Test("literals are read as the texts that they are")
    func literals() {
        let source = #"""
            let a = "one \(two("three", x: (4))) five" // "no text"
            let b = "six"
                + "seven \(8)" + "\(n) \"nine\" \\ \n"
            f("a \(b.map { "\($0) c" } ?? "d") e", "f")
            let raw = #"raw "text""#
            let lines = """
                several \(x) "lines",
                  as they \
                stand
                """
            """#
        #expect(
            StringLiterals(source).all.map(\.key) == [
                "one {1} five", "sixseven {1}{2} \"nine\" \\ \n", "a {1} e", "f",
                "several {1} \"lines\",\n  as they stand",
            ])
        #expect(StringLiterals(source).all.map(\.line) == [1, 2, 4, 4, 6])
    }
}
