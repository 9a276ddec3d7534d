import Testing

/// Measures of the sources that may only fall. Each list names what is over its measure today; a name that no
/// longer belongs to its list fails the test too, so that nothing grows back.
@Suite("Measures")
struct MeasureTests {
    private static let sources = Repository.swiftFiles(below: "Sources")
    private static let all =
        sources + ["Benchmarks", "Tests", "Fuzz"].flatMap { Repository.swiftFiles(below: $0) }

    /// The most lines of Swift in Sources without blank lines and comments, lowered by each change that
    /// removes some. This command counts them:
    ///
    ///     git ls-files 'Sources/*.swift' | xargs cat | grep -v '^\s*$' | grep -cv '^\s*//'
    private static let mostLines = 65_711

    @Test("count no more lines of Swift in Sources than before")
    func size() {
        let count = Self.sources.reduce(0) { $0 + Repository.code(of: $1).count }
        #expect(count > 10_000)
        #expect(count <= Self.mostLines)
    }

    // Functions.

    private static let mostLinesOfFunction = 70

    @Test("find no function of more than 70 lines")
    func functions() {
        var long: Set<String> = []
        for file in Self.all {
            for function in Self.functions(in: file) where function.lines > Self.mostLinesOfFunction {
                long.insert("\(file): \(function.name)")
            }
        }
        #expect(long == [])
    }

    /// Returns the functions, initialisers and computed properties, which end at the first brace with the
    /// indentation of their first line: the formatter sees to that.
    private static func functions(in file: String) -> [(name: Substring, lines: Int)] {
        let lines = Repository.lines(of: file)
        return lines.indices.compactMap { first in
            let text = lines[first].text
            let name = text.drop { $0 == " " }
            let words = name.prefix { $0 != "(" && $0 != "{" && $0 != "=" }.split(separator: " ")
            guard words.contains(where: { ["func", "init", "deinit", "var", "subscript"].contains($0) }),
                !name.hasPrefix("//"), !text.hasSuffix("}")
            else { return nil }
            let indentation = text.prefix { $0 == " " }
            for last in lines[(first + 1)...] where !last.text.isEmpty {
                if last.text.hasPrefix(indentation + "}") { return (name, last.number - first) }
                // The parameters of a long list end at the same place.
                let isDeeper = last.text.hasPrefix(indentation + " ")
                if !isDeeper, !last.text.hasPrefix(indentation + ")") { return nil }
            }
            return nil
        }
    }

    // Repetition.

    private static let linesOfRun = 12

    @Test("find no run of twelve lines of code twice")
    func repetition() {
        var first: [[Substring]: String] = [:]
        var found: Set<Set<String>> = []
        for file in Self.all {
            let lines = Repository.code(of: file).map(\.text).filter { !$0.hasPrefix("import ") }
            for begin in lines.indices.dropLast(Self.linesOfRun - 1) {
                let run = Array(lines[begin..<(begin + Self.linesOfRun)])
                if let other = first[run] { found.insert([other, file]) } else { first[run] = file }
            }
        }
        #expect(found == [])
    }

    // Names.

    /// The requirements of protocols of the system and of literals, which its code calls.
    private static let required: Set<Substring> = [
        "allKeys", "appendLiteral", "checkIsolated", "customMirror", "isIsolatingCurrentContext",
    ]

    /// The names that nothing else in Sources has: tests and benchmarks use them, or values that come from
    /// outside have them.
    private static let single: Set<Substring> = [
        "accountCount", "checkViolation", "currentEnding", "exclusionViolation", "expectResponse",
        "goingAway", "hasPrinted", "isInsideMessage", "isSignature", "keyCount",
        "policyViolation", "serializable", "serviceRestart", "tooBig", "uniqueViolation",
    ]

    @Test("find no name that occurs once in Sources, but in what programs that link the library may use")
    func names() {
        var counts: [Substring: Int] = [:]
        var declared: [Substring: String] = [:]
        for file in Self.sources {
            for line in Repository.code(of: file) {
                let words = Self.words(of: line.text)
                for word in words { counts[word, default: 0] += 1 }
                // Programs that link the library use its public declarations.
                if words.contains("public") { continue }
                for (keyword, name) in zip(words, words.dropFirst()) where Self.declares(keyword, name) {
                    declared[name] = "\(file):\(line.number)"
                }
                // A pattern begins with a dot, or with a name of C.
                if line.text.hasPrefix("case "), !line.text.hasPrefix("case ."), words.count > 1,
                    words[1].first?.isLowercase ?? false
                {
                    declared[words[1]] = "\(file):\(line.number)"
                }
            }
        }
        #expect(declared.count > 5_000)
        let once = declared.filter { counts[$0.key] == 1 && !Self.required.contains($0.key) }
        #expect(Set(once.keys) == Self.single, "\(once.filter { !Self.single.contains($0.key) })")
    }

    private static func declares(_ keyword: Substring, _ name: Substring) -> Bool {
        switch keyword {
        case "func", "var", "let", "struct", "class", "enum", "actor", "protocol", "typealias": true
        default: false
        }
    }

    /// Returns the words of a line of code, without its comment.
    private static func words(of line: Substring) -> [Substring] {
        let code = line.firstRange(of: " // ").map { line[..<$0.lowerBound] } ?? line
        // Markup within a text.
        if line.hasPrefix("<") { return [] }
        return code.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"):
                false
            default: true
            }
        }.map { Substring($0) }
    }
}
