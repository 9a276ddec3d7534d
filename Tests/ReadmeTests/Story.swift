/// The commands of the documents, which run one after the other in one shell, and their expected output.
struct Story {
    struct Step {
        /// The commands, for bash.
        var commands: String
        /// The expected output; empty if the document shows none.
        var output: [Substring] = []
    }

    private(set) var steps: [Step] = []
    /// The first line of each block of `sh`, which does not run with the others.
    private(set) var notRun: [String] = []

    /// Reads each block of `bash`, with the block of `text` that follows it.
    init(documents: String) {
        var language: Substring?
        var lines: [Substring] = []
        for line in documents.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("```") else {
                lines.append(line)
                continue
            }
            if let ended = language {
                add(ended, lines)
                language = nil
            } else {
                language = line.dropFirst(3)
            }
            lines = []
        }
    }

    private mutating func add(_ language: Substring, _ lines: [Substring]) {
        if language == "sh" { notRun.append(String(lines.first ?? "")) }
        if language == "bash" { steps.append(Step(commands: lines.joined(separator: "\n"))) }
        if language == "text", !steps.isEmpty { steps[steps.count - 1].output = lines }
    }

    /// Returns one script that runs every step in turn, prints `separator` after each and stops at one that
    /// fails.
    func script(separator: String) -> String {
        "set -euo pipefail\n" + steps.map { "\($0.commands)\necho '\(separator)'\n" }.joined()
    }

    /// Whether the line is the expected one, in which each `…` stands for any text.
    static func matches(_ line: Substring, _ expected: Substring) -> Bool {
        var parts = expected.split(separator: "…", omittingEmptySubsequences: false)
        let (first, last) = (parts.removeFirst(), parts.popLast())
        guard line.hasPrefix(first) else { return false }
        guard let last else { return line == first }
        var rest = line.dropFirst(first.count)
        for part in parts {
            guard let next = rest.firstIndex(of: part) else { return false }
            rest = rest[next...].dropFirst(part.count)
        }
        return rest.hasSuffix(last)
    }
}

extension Substring {
    /// Returns the index of the first occurrence of the text.
    fileprivate func firstIndex(of text: Substring) -> Index? {
        indices.first { self[$0...].hasPrefix(text) } ?? (text.isEmpty ? endIndex : nil)
    }
}
