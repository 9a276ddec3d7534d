import Contract

extension CommandTree {
    private static let registration = Command.Argument(
        name: "ID",
        meaning: "A registration of theirs, by its id or its number in \"explain\"",
        completion: .entries(.person))

    private static let id = "0198c0de-0000-7000-8000-000000000001"

    static let explain = Command(
        name: "explain", summary: "Show the reasons for your partners in a room",
        details: "It shows also the ids by which to name people to \"favourite\" and \"block\".",
        arguments: [
            .init(
                name: "ROOM",
                meaning: "The room, by its id or its number in \"history\". Default: the latest",
                isOptional: true, completion: .entries(.room))
        ],
        examples: [
            .init(line: "letsswitch explain", meaning: "The room that is open, or was last"),
            .init(line: "letsswitch explain --json", meaning: "The same as JSON"),
        ], run: ExplainCommand.run)

    static let favourite = Command(
        name: "favourite", summary: "Meet a person again if possible",
        details: "They are not told.", arguments: [registration],
        options: [.init(name: "remove", meaning: "Take it back")],
        examples: [
            .init(line: "letsswitch favourite \(id)", meaning: "From the next match on"),
            .init(line: "letsswitch favourite \(id) --remove", meaning: "No longer"),
        ], run: PeopleCommands.favourite)

    static let favourites = Command(
        name: "favourites", summary: "Show your favourites",
        examples: [.init(line: "letsswitch favourites", meaning: "The newest first")],
        run: PeopleCommands.favourites)

    static let block = Command(
        name: "block", summary: "Do not meet a person again",
        details: "It counts from the next match on. They are not told, and stay in a room that is open.",
        arguments: [registration],
        options: [
            .init(name: "report", value: "TEXT", meaning: "What the operators of the service should know"),
            .init(name: "remove", meaning: "Take it back"),
        ],
        examples: [
            .init(line: "letsswitch block \(id)", meaning: "From the next match on"),
            .init(
                line: "letsswitch block \(id) --report \"Advertised all the time\"",
                meaning: "And tell the operators why"),
            .init(line: "letsswitch block \(id) --remove", meaning: "No longer"),
        ], run: PeopleCommands.block)

    static let blocks = Command(
        name: "blocks", summary: "Show the people you do not meet again",
        examples: [.init(line: "letsswitch blocks", meaning: "The newest first")],
        run: PeopleCommands.blocks)

    static let stats = Command(
        name: "stats", summary: "Show how your sessions went",
        details: "What an outage of the service spoiled does not count.",
        examples: [
            .init(line: "letsswitch stats", meaning: "Attendance, punctuality, streaks, ales and partners"),
            .init(line: "letsswitch stats --json", meaning: "The same as JSON"),
        ], run: StatsCommand.run)
}
