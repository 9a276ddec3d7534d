import Contract

/// Parses the words of the command line into a command and its arguments.
enum ArgumentParser {
    enum Outcome {
        case help(String)
        case run(Command, ParsedArguments)
    }

    static func parse(_ words: [String]) throws(Failure) -> Outcome {
        if words == ["--version"] { return .help("letsswitch \(Version.product)\n") }
        // The options that every command has may also come before its name.
        var reader = WordReader(words)
        guard let name = try reader.commandName() else {
            if reader.parsed.has("help") { return .help(Help.overview) }
            throw .usage("Which command? \"letsswitch --help\" lists them.")
        }
        if name == "help" {
            guard let topic = try reader.commandName() else { return .help(Help.overview) }
            return .help(Help.page(try command(topic)))
        }
        let command = try command(name)
        try reader.read(for: command)
        if reader.parsed.has("help") { return .help(Help.page(command)) }
        try check(reader.parsed, command)
        return .run(command, reader.parsed)
    }

    private static func command(_ name: String) throws(Failure) -> Command {
        if let command = CommandTree.commands.first(where: { $0.name == name }) { return command }
        let suggestion = Suggestion.nearest(to: name, among: CommandTree.commands.map(\.name))
        throw .usage(
            "There is no command \"\(SafeText.escape(name))\"."
                + (suggestion.map { " Did you mean \"\($0)\"?" } ?? " \"letsswitch --help\" lists them."))
    }

    private static func check(_ parsed: ParsedArguments, _ command: Command) throws(Failure) {
        let required = command.arguments.filter { !$0.isOptional }
        if parsed.positional.count < required.count {
            let missing = required[parsed.positional.count].name
            throw .usage(
                "\(missing) is missing: \(Help.usage(command)). See letsswitch \(command.name) --help.")
        }
        for option in command.options where option.isRequired && parsed.values[option.name] == nil {
            throw .usage("--\(option.name) is missing: \(Help.usage(command)). It is: \(option.meaning).")
        }
        if parsed.positional.count > command.arguments.count {
            let extra = SafeText.escape(parsed.positional[command.arguments.count])
            throw .usage("\"\(extra)\" is too much: \(Help.usage(command)). Words with spaces go in quotes.")
        }
    }
}
