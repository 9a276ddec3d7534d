import Contract

/// Parses the words of the command line into a command and its arguments.
enum ArgumentParser {
    enum Outcome {
        case help(String)
        case run(Command, ParsedArguments)
    }

    static func parse(_ words: [String]) throws(Failure) -> Outcome {
        if words.isEmpty { return .help(Help.overview) }
        // The options that every command has may also come before its name.
        var reader = WordReader(words)
        let name = try reader.commandName()
        if reader.parsed.has("version") { return .help(version) }
        guard let name else {
            if reader.parsed.has("help") { return .help(Help.overview) }
            throw .usage("Which command? \"letsswitch --help\" lists them.")
        }
        if name == "help" {
            guard let topic = try reader.commandName() else { return .help(Help.overview) }
            return .help(try page(topic))
        }
        if CommandTree.command(named: name) == nil, CommandTree.groups.contains(name) {
            if reader.parsed.has("help") { return .help(Help.page(ofGroup: name)) }
            let members = CommandTree.members(of: name).map { "letsswitch \(name) \($0.word)" }
            throw .usage("\"\(name)\" goes on: \(members.joined(separator: ", ")).")
        }
        let command = try command(name)
        try reader.read(for: command)
        if reader.parsed.has("version") { return .help(version) }
        if reader.parsed.has("help") { return .help(Help.page(command)) }
        try check(reader.parsed, command)
        return .run(command, reader.parsed)
    }

    private static let version = "letsswitch \(Version.build)\n"

    private static func page(_ topic: String) throws(Failure) -> String {
        if CommandTree.command(named: topic) == nil, CommandTree.groups.contains(topic) {
            return Help.page(ofGroup: topic)
        }
        return Help.page(try command(topic))
    }

    private static func command(_ name: String) throws(Failure) -> Command {
        if let command = CommandTree.command(named: name) { return command }
        let suggestion = Suggestion.nearest(to: name, among: CommandTree.commands.map(\.name))
        let shown = SafeText.escape(name)
        throw .usage(
            suggestion.map { "There is no command \"\(shown)\". Did you mean \"\($0)\"?" }
                ?? "There is no command \"\(shown)\". \"letsswitch --help\" lists them.")
    }

    private static func check(_ parsed: ParsedArguments, _ command: Command) throws(Failure) {
        // An option of a command may have come before the second word of another one.
        let given = parsed.switches.union(parsed.values.keys)
        if let stray = given.subtracting(command.allOptions.map(\.name)).min() {
            throw .usage("There is no option --\(stray) here. --help lists them.")
        }
        let required = command.arguments.filter { !$0.isOptional }
        if parsed.positional.count < required.count {
            let missing = required[parsed.positional.count].name
            throw .usage(
                "\(missing) is missing: \(Help.usage(command)). See letsswitch \(command.name) --help.")
        }
        for option in command.options where option.isRequired && parsed.values[option.name] == nil {
            throw .usage("--\(option.name) is missing: \(Help.usage(command)). It is: \(option.meaning).")
        }
        if parsed.positional.count > command.arguments.count, !command.takesFurtherWords {
            let extra = SafeText.escape(parsed.positional[command.arguments.count])
            throw .usage("\"\(extra)\" is too much: \(Help.usage(command)). Words with spaces go in quotes.")
        }
    }
}
