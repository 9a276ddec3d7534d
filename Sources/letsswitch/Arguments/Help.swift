import Contract

/// The texts of `--help`, made from the command tree, in the language of this process.
enum Help {
    static var overview: String {
        let sections = CommandTree.sections.map { title, commands in
            let words = CommandTree.beginnings(of: commands)
            return (title: title.local, rows: words.map { ["  \($0.word)", $0.summary.local] })
        }
        // One table, so that the columns of all sections line up.
        var lines = Table.lines(sections.flatMap(\.rows))[...]
        var commands: [String] = []
        for section in sections {
            commands += ["", "\(section.title):"] + lines.prefix(section.rows.count)
            lines = lines.dropFirst(section.rows.count)
        }
        let options = Command.everywhere.map { ["  \(spelling($0))", $0.meaning.local] }
        let codes: [Text] = [
            "0 success · 2 usage · 3 sign-in · 4 not found · 5 conflict · 6 rate limited · 7 network",
            "8 a --timeout ran out · 130 Ctrl-C · 1 anything else",
        ]
        let examples = [
            "letsswitch signup Alice --time-zone Europe/Berlin",
            "letsswitch register \"Write the report\" --at 9am --at 09:30", "letsswitch join",
        ]
        var text = [
            local("Let's Switch: register a task, meet a partner, and cheer each other on."), "",
            local("Usage:") + " letsswitch COMMAND [OPTIONS]",
        ]
        text += commands + ["", local("Options of every command:")] + Table.lines(options)
        text += ["", local("Examples:")] + examples.map { "  \($0)" }
        text += ["", local("Exit codes:")] + codes.map { "  \($0.local)" }
        text += [
            "",
            local("\"letsswitch COMMAND --help\" tells more about a command. NO_COLOR turns colours off."),
            "",
        ]
        return text.joined(separator: "\n")
    }

    static let exitCodes: [(code: Int, meaning: String)] = [
        (0, "It is done"), (1, "Anything that has no number of its own"), (2, "Used wrongly"),
        (3, "Not signed in, or the token is not taken"), (4, "Not found"),
        (5, "A conflict, such as a slot that is taken already"), (6, "Too much at once"),
        (7, "The server cannot be reached or trusted"), (8, "The time of --timeout has run out"),
        (130, "Ctrl-C"), (143, "SIGTERM"),
    ]

    static let variables: [(name: String, meaning: String)] = [
        ("LETSSWITCH_URL", "Where the service is, unless --server says it"),
        (VerifyWebhookCommand.secretVariable, "The secret that webhook verify takes without --secret-file"),
        ("LETSSWITCH_CACERT", "For https: the file of the authorities to trust, unless --cacert says it"),
        (JoinSound.variable, "off: the terminal does not sound while you join a room"),
        ("NO_COLOR", "Where it is not empty, nothing has a colour"),
        ("LC_ALL, LC_CTYPE, LANG", "Where none of them speaks of UTF-8, the screen of join is ASCII"),
        (
            "LC_ALL, LC_MESSAGES, LANG",
            "The language: English, German or Japanese, where the locale has UTF-8"
        ),
        (
            "TZ",
            "The zone for signup. All times that you read and type are in the zone of your account; without "
                + "an account that can be asked, they are in this one"
        ),
        (
            "XDG_CONFIG_HOME",
            "Where the folder with the token is, and with the last list, by whose numbers entries are named; "
                + "~/.config without it"
        ),
    ]

    static func page(_ command: Command) -> String {
        var text = command.summary.local + "\n\n" + local("Usage:") + " \(usage(command))\n"
        let details = command.details.local
        if !details.isEmpty { text += "\n\(details)\n" }
        if !command.arguments.isEmpty {
            let rows = command.arguments.map { ["  \($0.name)", $0.meaning.local] }
            text += "\n" + local("Arguments:") + "\n" + Table.lines(rows).joined(separator: "\n") + "\n"
        }
        let rows = command.allOptions.map { ["  \(spelling($0))", $0.meaning.local] }
        text += "\n" + local("Options:") + "\n" + Table.lines(rows).joined(separator: "\n")
        text += "\n\n" + local("Examples:") + "\n"
        for (line, meaning) in command.examples { text += "  \(line)\n      \(meaning.local)\n" }
        let aliases = command.aliases.map { "\"letsswitch \($0)\"" }
        if !aliases.isEmpty { text += "\n" + local("The same:") + " \(aliases.joined(separator: ", "))\n" }
        if CommandTree.groups.contains(command.name) { text += "\n\(members(of: command.name))" }
        return text
    }

    /// Returns the help of a word that is no command alone, but the first word of some.
    static func page(ofGroup group: String) -> String {
        let summary = CommandTree.summary(ofGroup: group).local
        return summary + "\n\n" + local("Usage:") + " letsswitch \(group) COMMAND [OPTIONS]\n\n"
            + members(of: group)
    }

    private static func members(of group: String) -> String {
        let rows = CommandTree.members(of: group).map { ["  \(group) \($0.word)", $0.summary.local] }
        return local("Commands:") + "\n" + Table.lines(rows).joined(separator: "\n") + "\n\n"
            + local("\"letsswitch \(group) COMMAND --help\" tells more about one.") + "\n"
    }

    static func usage(_ command: Command) -> String { "letsswitch \(usageArguments(command))" }

    /// The maximum number of optional options in a usage line; with more, only the list of options shows
    /// them.
    private static let shownOptions = 3

    private static func usageArguments(_ command: Command) -> String {
        var words = [command.name]
        for argument in command.arguments {
            words.append(argument.isOptional ? "[\(argument.name)]" : argument.name)
        }
        let isShort = command.options.count(where: { !$0.isRequired }) <= Self.shownOptions
        for option in command.options where isShort || option.isRequired {
            let spelled = ["--\(option.name)", option.value].compactMap(\.self).joined(separator: " ")
            words.append(option.isRequired ? spelled + (option.isRepeatable ? "…" : "") : "[\(spelled)]")
        }
        if !isShort { words.append("[OPTIONS]") }
        return words.joined(separator: " ")
    }

    static func spelling(_ option: Command.Option) -> String {
        let short = option.short.map { "-\($0), " } ?? ""
        return short + ["--\(option.name)", option.value].compactMap(\.self).joined(separator: " ")
    }
}
