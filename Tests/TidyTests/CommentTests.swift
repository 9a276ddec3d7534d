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

    @Test("of declarations do not begin with \"Of\": each can be read alone")
    func beginnings() {
        for file in Self.files where !file.hasPrefix("Tests/") {
            let found = Self.comments(in: file).filter { comment in
                comment.text.drop { $0 == " " }.hasPrefix("/// Of ")
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
