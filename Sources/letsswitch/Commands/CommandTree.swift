/// Every command. Parsing, help and suggestions are made from this list.
enum CommandTree {
    static let commands: [Command] = [
        signUp, logIn, slots, register, registrations, cancel, addRoutine, listRoutines, showRoutine,
        changeRoutine, skipRoutine, pauseRoutine, resumeRoutine, endRoutine, watch, join, ale, checkIn, outcome,
        notifications, explain,
        favourite, favourites, block, blocks, stats, endpoints, showEndpoint, addEndpoint, removeEndpoint,
        testEndpoint, rotateSecret, verifyWebhook, calendars, addCalendar, removeCalendar, whoAmI,
        export, listTokens, makeToken, revokeToken, renewToken, makeRecoveryCode, recover, ping, doctor,
        completions,
        man,
    ]

    /// The first words of commands of two words, each once. Such a word may be a command of its own.
    static let groups: [String] = commands.reduce(into: []) { groups, command in
        let words = command.name.split(separator: " ")
        if words.count == 2, groups.last != String(words[0]) { groups.append(String(words[0])) }
    }

    /// The words that may stand first, each with the summary of the first command that begins so.
    static let beginnings: [(word: String, summary: String)] = commands.reduce(into: []) { words, command in
        let word = String(command.name.prefix { $0 != " " })
        if words.last?.word != word { words.append((word, command.summary)) }
    }

    /// Returns the commands that begin with that word, each with its second one.
    static func members(of group: String) -> [(word: String, summary: String)] {
        commands.filter { $0.name.hasPrefix(group + " ") }.map { command in
            (String(command.name.dropFirst(group.count + 1)), command.summary)
        }
    }

    static let diagnostics = Command.Option(
        name: "diagnostics", meaning: "Print what happens to the connection to standard error, as JSON")

    static let room = Command.Argument(
        name: "ROOM", meaning: "The room's id. Default: the room of yours that is open", isOptional: true)
}
