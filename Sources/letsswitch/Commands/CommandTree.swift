/// Every command. Parsing, help and suggestions are made from this list.
enum CommandTree {
    static let commands: [Command] = [
        signUp, logIn, slots, register, registrations, cancel, watch, join, ale, notifications, explain,
        favourite, favourites, block, blocks, stats, whoAmI, ping, doctor, completions, man,
    ]

    static let diagnostics = Command.Option(
        name: "diagnostics", meaning: "Print what happens to the connection to standard error, as JSON")

    static let room = Command.Argument(
        name: "ROOM", meaning: "The room's id. Default: the room of yours that is open", isOptional: true)
}
