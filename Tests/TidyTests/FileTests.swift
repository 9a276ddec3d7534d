import Testing

/// Checks of the size and the shape of the files, so that each can be read on a screen.
@Suite("Files")
struct FileTests {
    private static let files = ["Sources", "Benchmarks", "Tests", "Fuzz"].flatMap {
        Repository.swiftFiles(below: $0)
    }

    @Test("have lines of at most 110 characters, but for the rows of tables in comments")
    func lines() {
        for file in Self.files + ["Package.swift"] {
            let long = Repository.lines(of: file).filter { $0.text.count > 110 && !$0.text.contains("/// |") }
            #expect(long.isEmpty, "\(file), lines \(long.map(\.number))")
        }
    }

    @Test("have at most 400 lines")
    func sizes() {
        for file in Self.files {
            let count = Repository.lines(of: file).count
            #expect(count <= 401, "\(file) has \(count - 1) lines: look for the second idea in it")
        }
    }

    @Test("say why each @unchecked Sendable and each nonisolated(unsafe) is sound")
    func unchecked() {
        var found = 0
        for file in Self.files where !file.hasPrefix("Tests/TidyTests/") {
            let lines = Repository.lines(of: file).map(\.text)
            for (index, line) in lines.enumerated()
            where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
                found += 1
                let before = index > 0 ? lines[index - 1].drop { $0 == " " } : ""
                #expect(
                    line.contains("//") || before.hasPrefix("//"),
                    "\(file):\(index + 1) has no sentence above it that proves why it is sound")
            }
        }
        #expect(found > 5)
    }
}
