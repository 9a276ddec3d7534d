import Contract

/// Every command. Parsing, help and suggestions are made from this list.
enum CommandTree {
    /// The commands by what they are about, as the overview shows them.
    static let sections: [(title: Text, commands: [Command])] = [
        ("Sessions", [slots, register, invite, registrations, cancel, outcome, history, stats]),
        (
            "Routines",
            [
                addRoutine, listRoutines, showRoutine, changeRoutine, skipRoutine, pauseRoutine,
                resumeRoutine, endRoutine,
            ]
        ),
        ("Rooms", [join, ale, checkIn, watch, wait, notifications, explain, ping]),
        ("People", [favourite, favourites, block, blocks]),
        (
            "Your account",
            [
                signUp, logIn, recover, account, deleteAccount, logOut, whoAmI, listTokens, makeToken,
                revokeToken, renewToken, makeRecoveryCode, showSecrets, export,
            ]
        ),
        (
            "Other programs",
            [
                calendars, addCalendar, removeCalendar, endpoints, showEndpoint, addEndpoint,
                removeEndpoint, testEndpoint, rotateSecret, verifyWebhook,
            ]
        ),
        ("This program", [doctor, completions, man]),
    ]

    static let commands = sections.flatMap(\.commands)

    /// The commands that only scripts call.
    private static let hidden = [complete]

    /// The first words of commands of two words that may be written in another way.
    static let otherGroups = ["calendar": "calendars", "endpoint": "endpoints", "routines": "routine"]

    /// The first words of commands of two words, each once. Such a word may be a command of its own.
    static let groups: [String] = commands.reduce(into: []) { groups, command in
        for name in [command.name] + command.aliases {
            let words = name.split(separator: " ")
            if words.count == 2, !groups.contains(String(words[0])) { groups.append(String(words[0])) }
        }
    }

    /// The words that may stand first.
    static let beginnings = beginnings(of: commands)

    static func command(named name: String) -> Command? {
        (commands + hidden).first { $0.name == name || $0.aliases.contains(name) }
    }

    /// Returns the first words of those commands, each once, with the summary of the command or the group.
    static func beginnings(of commands: [Command]) -> [(word: String, summary: Text)] {
        commands.reduce(into: []) { words, command in
            let word = String(command.name.prefix { $0 != " " })
            if words.contains(where: { $0.word == word }) { return }
            words.append((word, word == command.name ? command.summary : summary(ofGroup: word)))
        }
    }

    static func summary(ofGroup group: String) -> Text {
        switch group {
        case "token": "Look after the tokens of your account"
        case "webhook": "Check what a webhook has received"
        default: members(of: group).first?.summary ?? ""
        }
    }

    /// Returns the commands that begin with that word, each with its second one.
    static func members(of group: String) -> [(word: String, summary: Text)] {
        commands.compactMap { command in
            // A command is shown once in each group, by its first name there.
            let name = ([command.name] + command.aliases).first { $0.hasPrefix(group + " ") }
            return name.map { (String($0.dropFirst(group.count + 1)), command.summary) }
        }
    }

    static let types = Command.Option(
        name: "types", value: "TYPE,…", isRepeatable: true,
        completion: .words(NotificationType.allCases.map(\.rawValue)),
        meaning: "Only these notifications: \(NotificationType.names)")

    static let diagnostics = Command.Option(
        name: "diagnostics", meaning: "Print what happens to the connection to standard error, as JSON")

    static let room = Command.Argument(
        name: "ROOM", meaning: "The room. Default: the room of yours that is open", isOptional: true,
        completion: .entries(.room))
}
