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
            "letsswitch explain": "The room that is open, or was last",
            "letsswitch explain --json": "The same as JSON",
        ], run: ExplainCommand.run)

    static let favourite = Command(
        name: "favourite", summary: "Meet a person again if possible",
        details: "They are not notified.", arguments: [registration],
        options: [.init(name: "remove", meaning: "Take it back")],
        examples: [
            "letsswitch favourite \(id)": "From the next match on",
            "letsswitch favourite \(id) --remove": "No longer",
        ], run: PeopleCommands.favourite)

    static let favourites = Command(
        name: "favourites", summary: "Show your favourites",
        examples: ["letsswitch favourites": "The newest first"],
        run: PeopleCommands.favourites)

    static let block = Command(
        name: "block", summary: "Do not meet a person again",
        details: "It counts from the next match on. They are not told, and stay in a room that is open.",
        arguments: [registration],
        options: [
            .init(name: "report", value: "TEXT", meaning: "A report to the operators of the service"),
            .init(name: "remove", meaning: "Take it back"),
        ],
        examples: [
            "letsswitch block \(id)": "From the next match on",
            "letsswitch block \(id) --report \"Advertised all the time\"": "And tell the operators why",
            "letsswitch block \(id) --remove": "No longer",
        ], run: PeopleCommands.block)

    static let blocks = Command(
        name: "blocks", summary: "Show the people you do not meet again",
        examples: ["letsswitch blocks": "The newest first"],
        run: PeopleCommands.blocks)

    static let stats = Command(
        name: "stats", summary: "Show how your sessions went",
        details: "Sessions that an outage of the service ended do not count.",
        examples: [
            "letsswitch stats": "Attendance, punctuality, streaks, ales and partners",
            "letsswitch stats --json": "The same as JSON",
        ], run: StatsCommand.run)
}
