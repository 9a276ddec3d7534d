import Testing

@testable import Contract

/// Checks that the catalogue of languages has the texts of the sources, and no others.
@Suite("The catalogue of languages")
struct LanguageTests {
    private static let service = keys(of: "Sources/Contract/Documents/service")
    private static let command = keys(of: "Sources/letsswitch/Documents/command")

    private static func keys(of program: String) -> Set<String> {
        Set(languages.flatMap { entries(of: "\(program).\($0).po").map(\.key) })
    }

    private static let languages = Language.allCases.filter { $0 != .english }.map(\.rawValue)

    private static let catalogues = languages.flatMap {
        ["Sources/Contract/Documents/service.\($0).po", "Sources/letsswitch/Documents/command.\($0).po"]
    }

    private static func entries(of file: String) -> [Catalogue.Entry] {
        Catalogue.entries(of: Repository.text(of: file) ?? "")
    }

    /// The folders whose sentences are for the users of the service.
    private static let folders = [
        "Contract", "API", "Database", "Push", "letsswitch", "Client", "TLS", "HTTP1",
    ].map { "Sources/\($0)" }

    /// The files whose sentences are for operators, for those who write programs, or for other servers.
    private static let others = [
        "/AccountData.swift", "/SchemaVersion.swift",
        "/RegistrationSpans.swift", "/Operators/", "/DatabaseReview.swift", "/DatabaseFitness.swift",
        "/SocketErrorCode.swift",
        "/RoomTunnels.swift",
        "/ManualPage.swift",
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

    /// The texts of problems: all lines of their document but the names.
    private static let problems = Repository.lines(of: "Sources/Contract/Documents/problems.txt")
        .map { String($0.text) }.filter { !$0.isEmpty && ProblemName(rawValue: $0) == nil }

    /// The words of states and of days, which the command makes from names in the code.
    private static let words: [String] = {
        let states: [[String]] = [
            SlotState.allCases.map(\.rawValue), RegistrationState.allCases.map(\.rawValue),
            EndpointState.allCases.map(\.rawValue), Routine.State.allCases.map(\.rawValue),
            RoutineOccurrence.State.allCases.map(\.rawValue),
        ]
        let days = Weekday.allCases.map { "\($0)" }
        let short = days.map { $0.prefix(1).uppercased() + $0.prefix(3).dropFirst() }
        return states.flatMap(\.self) + days + short
    }()

    @Test("has every word that the command makes from a name")
    func words() {
        #expect(Self.words.count > 40 && Self.words.contains("off-grid") && Self.words.contains("Mon"))
        for word in Self.words { #expect(Self.command.contains(word), "not translated: \(word)") }
    }

    @Test("has every sentence that is for a user")
    func complete() throws {
        #expect(Self.service.count > 250 && Self.command.count > 250 && Self.files.count > 200)
        #expect(Self.problems.count == 3 * ProblemName.allCases.count)
        for text in Self.problems { #expect(Self.service.contains(text), "not translated: \(text)") }
        var count = 0
        for file in Self.files {
            let isOfCommand = file.hasPrefix("Sources/letsswitch/")
            for literal in StringLiterals(try #require(Repository.text(of: file))).all
            where (Self.isSentence(literal) || Self.isTaken(literal))
                && !Self.otherSentences.contains(literal.key)
            {
                count += 1
                let isThere =
                    Self.service.contains(literal.key)
                    || (isOfCommand && Self.command.contains(literal.key))
                #expect(isThere, "\(file):\(literal.line) is in no language but English: \(literal.key)")
            }
        }
        #expect(count > 200)
    }

    private static func isSentence(_ literal: StringLiterals.Literal) -> Bool {
        let isLogged = literal.before.contains("Log.") || literal.before.contains("precondition")
        // The help of a figure, behind its name, is for operators.
        let isHelp = literal.before.contains(/"[a-z]+(_[a-z]+)+",\s*$/)
        guard !isLogged, !isHelp, let first = literal.key.first, let last = literal.key.last else {
            return false
        }
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
        var unused = (service: Self.service, command: Self.command)
        for file in Repository.swiftFiles(below: "Sources") {
            let literals = StringLiterals(try #require(Repository.text(of: file))).all.map(\.key)
            if file.hasPrefix("Sources/letsswitch/") {
                unused.command.subtract(literals)
            } else {
                unused.service.subtract(literals)
            }
        }
        unused.service.subtract(Self.problems)
        unused.command.subtract(Self.words)
        for key in unused.service { Issue.record("no source of the service or the client has: \(key)") }
        for key in unused.command { Issue.record("no source of the command has: \(key)") }
        #expect(Self.service.isDisjoint(with: Self.command))
    }

    @Test("has every text in every language, once", arguments: catalogues)
    func whole(file: String) throws {
        let entries = Self.entries(of: file)
        let keys = entries.map(\.key)
        #expect(keys.count == Set(keys).count)
        #expect(Set(keys) == (file.contains("/service.") ? Self.service : Self.command))
        for entry in entries { #expect(!entry.text.isEmpty, "not translated: \(entry.key)") }
    }

    @Test("has the same arguments in every language", arguments: catalogues)
    func arguments(file: String) {
        for entry in Self.entries(of: file) {
            #expect(Self.placeholders(entry.text) == Self.placeholders(entry.key), "\(entry.key)")
        }
        #expect(Self.placeholders("{2} of {1}, {id}") == ["{1}", "{2}", "{id}"])
        #expect(Self.placeholders("{1} {1}") != Self.placeholders("{1}"))
    }

    /// Returns what stands in braces, sorted.
    private static func placeholders(_ text: String) -> [String] {
        text.matches(of: /\{[^{}]*\}/).map { String($0.output) }.sorted()
    }

    @Test("has each detail of an example of a problem, but for those of operators")
    func examples() throws {
        let description = try #require(Repository.text(of: "Sources/API/Documents/openapi.json"))
        let document = try JSONValue.parse(Array(description.utf8), maximumDepth: 64)
        for name in ProblemName.allCases where ![.forbidden, .misdirected].contains(name) {
            let media = document["components"]?["responses"]?["Problem\(name.status)"]?["content"]
            let examples = media?[Problem.mediaType]?["examples"]
            let example = try #require(examples?[name.rawValue]?["value"], "\(name)")
            for part in [example] + (example["errors"]?.array ?? []) {
                let detail = part["detail"]?.string ?? ""
                #expect(Self.service.contains { Self.says($0, detail) }, "\(name): \(detail)")
            }
        }
        #expect(Self.says("{1} of {2} sessions.", "4 of 8 sessions."))
        #expect(!Self.says("{1} of {2} sessions.", "4 or 8 sessions."))
        #expect(!Self.says("{1} or {2}", "4 or 8"))
    }

    /// Whether a text with that key can be the sentence. Nearly all sentences can be `{1} or {2}`.
    private static func says(_ key: String, _ sentence: String) -> Bool {
        let words = key.split(separator: /\{\d+\}/, omittingEmptySubsequences: false)
        guard words.contains(where: { $0.count > 8 }), let first = words.first, let last = words.last,
            sentence.hasPrefix(first), sentence.hasSuffix(last)
        else { return false }
        var rest = sentence[...]
        for part in words where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    @Test("has only lines that the reader knows", arguments: catalogues)
    func lines(file: String) {
        for line in Repository.lines(of: file) where !line.text.isEmpty && line.text.first != "#" {
            #expect(
                line.text.wholeMatch(of: /(?:msgid |msgstr |)"(?:[^"\\]|\\[n"\\])*"/) != nil,
                "\(file):\(line.number)")
        }
        let isFuzzy = Repository.lines(of: file).contains { $0.text.hasPrefix("#, fuzzy") }
        #expect(!isFuzzy, "\(file) has texts that need a translator's work")
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
