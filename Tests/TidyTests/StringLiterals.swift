/// A reader of the string literals of a source file, in the form of the keys of texts: an interpolation is
/// `{1}`, and literals that a plus joins are one.
struct StringLiterals {
    struct Literal {
        var key: String
        let line: Int
        /// The text before it, on its line and the one before.
        let before: String
        fileprivate var end: Int
        fileprivate var arguments: Int
    }

    private let text: [Character]
    private var place = 0
    private(set) var all: [Literal] = []

    init(_ source: String) {
        text = Array(source)
        while place < text.count {
            if starts("//") {
                skip(to: "\n")
            } else if starts("#\"\"\"") {
                skip(past: "\"\"\"#", from: 4)
            } else if starts("\"\"\"") {
                readLines()
            } else if starts("#\"") {
                skip(past: "\"#", from: 2)
            } else if starts("#/") {
                skip(past: "/#", from: 2)
            } else if text[place] == "\"" {
                read()
            } else {
                place += 1
            }
        }
    }

    private func starts(_ prefix: String) -> Bool { text[place...].starts(with: prefix) }

    private mutating func skip(to end: Character) {
        while place < text.count, text[place] != end { place += 1 }
    }

    private mutating func skip(past end: String, from length: Int) {
        place += length
        while place < text.count, !starts(end) { place += 1 }
        place += end.count
    }

    private mutating func read() {
        let begin = place
        place += 1
        let (key, count) = content(to: "\"")
        add(key, count, from: begin)
    }

    /// Reads a literal of several lines, whose last line has its indentation.
    private mutating func readLines() {
        let begin = place
        place += 3
        let (key, count) = content(to: "\"\"\"")
        let lines = key.split(separator: "\n", omittingEmptySubsequences: false)
        let indentation = lines.last?.count ?? 0
        let kept = lines.dropFirst().dropLast().map { line in
            line.dropFirst(min(indentation, line.prefix { $0 == " " }.count))
        }
        add(kept.joined(separator: "\n"), count, from: begin)
    }

    /// Reads up to the end of a literal, and past it.
    private mutating func content(to end: String) -> (key: String, arguments: Int) {
        var (key, count) = ("", 0)
        while place < text.count, !starts(end) {
            guard text[place] == "\\", place + 1 < text.count else {
                key.append(text[place])
                place += 1
                continue
            }
            place += 2
            switch text[place - 1] {
            case "(":
                skipInterpolation()
                count += 1
                key += "{\(count)}"
            case "n": key += "\n"
            // The next line goes on with this one.
            case "\n": while place < text.count, text[place] == " " { place += 1 }
            case let character: key.append(character)
            }
        }
        place += end.count
        return (key, count)
    }

    /// Skips to the end of an interpolation, in which there may be literals.
    private mutating func skipInterpolation() {
        var depth = 1
        while place < text.count, depth > 0 {
            switch text[place] {
            case "(": depth += 1
            case ")": depth -= 1
            case "\"":
                place += 1
                while place < text.count, text[place] != "\"" {
                    if text[place] == "\\" {
                        place += 1
                        if text[place] == "(" {
                            place += 1
                            skipInterpolation()
                            continue
                        }
                    }
                    place += 1
                }
            default: break
            }
            place += 1
        }
    }

    private mutating func add(_ key: String, _ count: Int, from begin: Int) {
        if let last = all.last {
            let between = text[last.end..<begin].filter { !$0.isWhitespace }
            if between == ["+"] {
                var moved = key
                for number in (0..<count).reversed() {
                    moved = moved.replacing("{\(number + 1)}", with: "{\(number + 1 + last.arguments)}")
                }
                all[all.count - 1].key += moved
                all[all.count - 1].end = place
                all[all.count - 1].arguments += count
                return
            }
        }
        let lines = text[..<begin].split(separator: "\n", omittingEmptySubsequences: false).suffix(2)
        let line = text[..<begin].count { $0 == "\n" } + 1
        all.append(
            Literal(
                key: key, line: line, before: lines.map { String($0) }.joined(separator: " "), end: place,
                arguments: count))
    }
}
