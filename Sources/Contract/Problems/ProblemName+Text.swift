extension ProblemName {
    /// The title: a few words that are the same each time, but for the language.
    package var title: Text { texts.title }
    /// The condition under which the server answers with the problem, for the page at `path`.
    package var cause: Text { texts.cause }
    /// The action of the client or the person, for the same page.
    package var fix: Text { texts.fix }

    private typealias Texts = (title: Text, cause: Text, fix: Text)

    private var texts: Texts { Self.texts[self] ?? ("", "", "") }

    /// The texts in `problems.txt`, where each problem has four lines: the last part of its type, the title,
    /// the cause and the fix. Names of members, header fields and settings stand in backticks.
    private static let texts: [ProblemName: Texts] = {
        let lines = Documents.problems_txt.split(separator: "\n").map(String.init)
        return stride(from: 0, to: lines.count - 3, by: 4).reduce(into: [:]) { texts, first in
            guard let name = ProblemName(rawValue: lines[first]) else { return }
            texts[name] = (
                Text(english: lines[first + 1]), Text(english: lines[first + 2]),
                Text(english: lines[first + 3])
            )
        }
    }()
}
