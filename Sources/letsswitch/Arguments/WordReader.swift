import Contract

/// A reader of the words of a command line, in one pass.
struct WordReader {
    private var rest: ArraySlice<String>
    private(set) var parsed = ParsedArguments()

    init(_ words: [String]) { rest = words[...] }

    /// Returns the first word that is no option, together with the next one if commands of two words begin
    /// with it; nil: there is none. Such a word may be a command of its own, with options.
    mutating func commandName() throws(Failure) -> String? {
        var name: String?
        while let word = rest.popFirst() {
            if word.hasPrefix("-"), word != "-" {
                let command = name.flatMap { CommandTree.command(named: $0) }
                try take(word, command?.allOptions ?? Command.everywhere)
                continue
            }
            if let first = name { return "\(first) \(word)" }
            let first = CommandTree.otherGroups[word] ?? word
            guard CommandTree.groups.contains(first) else { return word }
            name = first
        }
        return name
    }

    mutating func read(for command: Command) throws(Failure) {
        while let word = rest.popFirst() {
            if word == "--" {
                parsed.positional += rest
                rest = []
            } else if word.hasPrefix("-") && word != "-" {
                try take(word, command.allOptions)
            } else {
                parsed.positional.append(word)
            }
        }
    }

    private mutating func take(_ word: String, _ options: [Command.Option]) throws(Failure) {
        let isLong = word.hasPrefix("--")
        let text = word.drop { $0 == "-" }
        let name = isLong ? text.prefix { $0 != "=" } : text
        let given = isLong && name.endIndex < text.endIndex ? String(text[name.endIndex...].dropFirst()) : nil
        let found = options.first { option in
            isLong ? option.name == name : option.short.map { String($0) == name } ?? false
        }
        guard let option = found else {
            let suggestion = Suggestion.nearest(to: String(name), among: options.map(\.name))
            let shown = SafeText.escape(word)
            throw .usage(
                suggestion.map { "There is no option \(shown) here. Did you mean --\($0)?" }
                    ?? "There is no option \(shown) here. --help lists them.")
        }
        guard option.value != nil else {
            if given != nil { throw .usage("--\(option.name) takes no value.") }
            parsed.switches.insert(option.name)
            return
        }
        guard let value = given ?? rest.popFirst() else {
            throw .usage("--\(option.name) needs a value: --\(option.name) \(option.value ?? "VALUE").")
        }
        if !option.isRepeatable && parsed.values[option.name] != nil {
            throw .usage("--\(option.name) can be given once only.")
        }
        parsed.values[option.name, default: []].append(value)
    }
}
