import Contract

extension CommandTree {
    static let calendars = Command(
        name: "calendars", aliases: ["calendars list"],
        summary: "Show the calendars that can read your sessions",
        examples: ["letsswitch calendars": "When each was made and last read"],
        run: CalendarCommands.list)

    static let addCalendar = Command(
        name: "calendars add", summary: "See your sessions in a calendar program",
        details: """
            Prints an address to subscribe to. It is shown this once; with -q, nothing else is. The program
            reminds you one minute before each session.
            """,
        examples: ["letsswitch calendars add": "An address for one program"],
        run: CalendarCommands.add)

    static let removeCalendar = Command(
        name: "calendars remove", summary: "Take a calendar's address back",
        arguments: [
            .init(
                name: "ID", meaning: "The calendar, by its id or its number in \"calendars\"",
                completion: .entries(.calendar))
        ],
        examples: [
            "letsswitch calendars remove 0198c0de-0000-7000-8000-000000000001": "Its address stops working"
        ], run: CalendarCommands.remove)
}
