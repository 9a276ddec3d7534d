import Testing

@Suite("Comments")
struct CommentTests {
    private static let files = ["Sources", "Benchmarks", "Tests", "Fuzz"].flatMap {
        Repository.swiftFiles(below: $0)
    }

    @Test("are found at all")
    func found() {
        #expect(Self.files.count > 500)
        #expect(Self.comments(in: "Sources/Codecs/Base64.swift").count > 5)
    }

    /// A sentence that begins so has no subject, or one that only the next comment explains.
    private static let riddles = ["Of", "What", "Who", "Whoever", "Whatever", "Whose", "Which"]

    @Test("of declarations can be read alone: none begins with \"Of\", \"What\" or \"Who\"")
    func beginnings() {
        for file in Self.files {
            let found = Self.comments(in: file).filter { comment in
                let words = comment.text.split(separator: " ")
                return words.count > 1 && words[0] == "///" && Self.riddles.contains(String(words[1]))
            }
            #expect(found.isEmpty, "\(file), lines \(found.map(\.line))")
        }
    }

    /// Returns the lines that are nothing but a comment, with their numbers.
    private static func comments(in file: String) -> [(line: Int, text: Substring)] {
        Repository.lines(of: file).filter { $0.text.drop { $0 == " " }.hasPrefix("//") }
            .map { (line: $0.number, text: $0.text) }
    }
}
