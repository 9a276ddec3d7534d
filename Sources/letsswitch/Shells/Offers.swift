import Contract

/// The words that can stand at the end of a command line.
enum Offers {
    /// Words with their summaries.
    case words([(word: String, summary: Text)])
    /// The values of an option or an argument. Each is preceded by `prefix`, for an option `--NAME=`.
    case values(Command.Completion, prefix: String)

    /// Reads the words after the program's name. The last one, which can be empty, is the one to complete.
    init(_ words: [String]) {
        let current = words.last ?? ""
        var line = Line()
        for word in words.dropLast() { line.read(word) }
        if let option = line.awaited {
            self = .values(option.completion, prefix: "")
        } else if current.hasPrefix("-"), !line.isLiteral {
            let (name, value) = Line.split(current)
            if let option = line.options.first(where: { value != nil && $0.name == name }) {
                self = .values(option.completion, prefix: "--\(name)=")
            } else {
                self = .words(line.options.filter { line.takes($0) }.flatMap(Self.spellings))
            }
        } else {
            self = line.offers
        }
    }

    private static func spellings(_ option: Command.Option) -> [(word: String, summary: Text)] {
        (["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])).map { ($0, option.meaning) }
    }

    /// The state of a command line after some of its words. Mistakes in it are ignored.
    private struct Line {
        private var name: String?
        /// Whether the next word can be the second one of the command's name.
        private var isOpen = false
        /// The number of arguments so far.
        private var place = 0
        private var given: Set<String> = []
        /// The option whose value is the next word.
        private(set) var awaited: Command.Option?
        /// Whether `--` has ended the options.
        private(set) var isLiteral = false

        var options: [Command.Option] {
            name.flatMap { CommandTree.command(named: $0) }?.allOptions ?? Command.everywhere
        }

        /// Returns whether the option can be given here, again if need be.
        func takes(_ option: Command.Option) -> Bool { option.isRepeatable || !given.contains(option.name) }

        mutating func read(_ word: String) {
            if awaited != nil {
                awaited = nil
            } else if word == "--" {
                isLiteral = true
            } else if word.hasPrefix("-"), word != "-", !isLiteral {
                let (name, value) = Self.split(word)
                let option = options.first { $0.name == name || $0.short.map { "-\($0)" } == word }
                given.insert(option?.name ?? "")
                awaited = option?.value != nil && value == nil ? option : nil
            } else if let name, isOpen {
                self.name = "\(name) \(word)"
                isOpen = false
            } else if name == nil {
                let first = CommandTree.otherGroups[word] ?? word
                name = first
                isOpen = CommandTree.groups.contains(first)
            } else {
                place += 1
            }
        }

        /// Returns the name of a long option, and the value behind its equals sign.
        static func split(_ word: String) -> (name: String, value: Substring?) {
            guard word.hasPrefix("--") else { return ("", nil) }
            let parts = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? parts[1] : nil)
        }

        /// The words for a place that has no dash yet.
        var offers: Offers {
            guard let name, name != "help" else {
                let help = (word: "help", summary: Text(verbatim: "Show the help of a command"))
                return .words(CommandTree.beginnings + [help])
            }
            if isOpen { return .words(CommandTree.members(of: name)) }
            let arguments = CommandTree.command(named: name)?.arguments ?? []
            return .values(place < arguments.count ? arguments[place].completion : .nothing, prefix: "")
        }
    }
}
