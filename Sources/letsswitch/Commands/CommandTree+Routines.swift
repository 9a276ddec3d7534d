import Contract

extension CommandTree {
    private static let id = "0198c0de-0000-7000-8000-000000000001"

    private static let routine = Command.Argument(
        name: "ID", meaning: "The routine, by its id or its number in \"routine list\"",
        completion: .entries(.routine))

    private static let rule: [Command.Option] = [
        .init(
            name: "every", value: "DAYS",
            completion: .words(["day", "weekday", "weekend", "week"] + Weekday.allCases.map(\.name)),
            meaning: "On which days: \(RoutineWords.forms)"),
        .init(name: "interval", value: "N", meaning: "Only every N days or weeks"),
        .init(name: "count", value: "N", meaning: "End after N days"),
        .init(name: "until", value: "DATE", meaning: "End with that day"),
        .init(name: "rrule", value: "RULE", meaning: "A rule of RFC 5545, like FREQ=WEEKLY;BYDAY=MO,FR"),
    ]

    private static let zone = Command.Option(
        name: "time-zone", value: "Z", completion: .zones,
        meaning: "The time zone. Default: your account's zone"
    )

    private static let first = Command.Option(
        name: "from", value: "DATE", meaning: "The first day. Default: today")

    private static let tag = Command.Option(
        name: "tag", value: "T", meaning: "A word that groups tasks")

    private static let additions: [Command.Option] = [
        .init(name: "at", value: "TIME", isRequired: true, meaning: "A time of day, like 09:00"), tag,
        .init(name: "except", value: "DATE", isRepeatable: true, meaning: "Leave that day out"),
    ]

    private static let changes: [Command.Option] = [
        .init(name: "task", value: "TASK", meaning: "What you will do"),
        .init(name: "at", value: "TIME", meaning: "A time of day, like 09:00"), tag,
        .init(name: "no-tag", meaning: "Take the tag away"),
    ]

    static let addRoutine = Command(
        name: "routine add", summary: "Register a task again and again",
        details: """
            The days are registered as far ahead as one may register, and later ones as they come near enough.
            A day on which you have another registration, or no place left, is shown and tried again.
            """,
        arguments: [.init(name: "TASK", meaning: "What you will do; your partners see it")],
        options: additions + rule + [zone, first],
        examples: [
            "letsswitch routine add \"Write\" --every weekday --at 09:00":
                "Monday to Friday, until you end it",
            "letsswitch routine add Reading --every mon,thu --interval 2 --at 18:30 --count 10":
                "Ten times, every other week",
            "letsswitch routine add Tidying --every day --at 8:00 --until 2027-03-31":
                "Each day until then, at eight",
        ], run: RoutineCommands.add)

    static let listRoutines = Command(
        name: "routine list", summary: "Show your routines",
        examples: [
            "letsswitch routine list": "The oldest first",
            "letsswitch routine list --json": "The same as JSON",
        ], run: RoutineCommands.list)

    static let showRoutine = Command(
        name: "routine show", summary: "Show a routine with its next days", arguments: [routine],
        examples: [
            "letsswitch routine show \(id)": "The next days, and those that could not be registered"
        ],
        run: RoutineCommands.show)

    static let pauseRoutine = Command(
        name: "routine pause", summary: "Pause a routine",
        details: "What it has registered ahead is cancelled.", arguments: [routine],
        examples: ["letsswitch routine pause \(id)": "For a holiday"],
        run: RoutineCommands.pause)

    static let resumeRoutine = Command(
        name: "routine resume", summary: "Resume a routine", arguments: [routine],
        examples: ["letsswitch routine resume \(id)": "Starting today"],
        run: RoutineCommands.resume)

    static let skipRoutine = Command(
        name: "routine skip", summary: "Leave one day of a routine out",
        arguments: [routine, .init(name: "DATE", meaning: "The day, like 2027-03-28")],
        options: [.init(name: "undo", meaning: "Take it back: the day is registered again")],
        examples: [
            "letsswitch routine skip \(id) 2027-03-28": "Cancel that day alone",
            "letsswitch routine skip \(id) 2027-03-28 --undo": "Register it again",
        ], run: RoutineCommands.skip)

    static let changeRoutine = Command(
        name: "routine change", summary: "Change a routine from a day on",
        details: """
            What it has registered from that day on follows: what fits stays, with the new task; the rest is
            cancelled and made again. With another rule, --count counts from that day; a rule with the same
            interval keeps its weeks.
            """,
        arguments: [routine],
        options: changes + rule + [zone, first],
        examples: [
            "letsswitch routine change \(id) --at 10:00 --from 2027-03-29": "An hour later from that day on",
            "letsswitch routine change \(id) --task \"Edit\"": "Another task",
        ], run: RoutineCommands.change)

    static let endRoutine = Command(
        name: "routine end", summary: "End a routine, and cancel what it has registered ahead",
        arguments: [routine], options: [.init(name: "keep", meaning: "Keep what it has registered")],
        examples: [
            "letsswitch routine end \(id)": "Nothing of it is ahead any more",
            "letsswitch routine end \(id) --keep": "Register no more days",
        ], run: RoutineCommands.end)
}
