import Contract

extension CommandTree {
    static let watch = Command(
        name: "watch", summary: "Show notifications as they come, until Ctrl-C",
        details: "It reconnects by itself and loses nothing.",
        options: [
            .init(name: "join", meaning: "Enter rooms as they open, and show what happens there"),
            types, diagnostics,
        ],
        examples: [
            "letsswitch watch": "One line for each notification",
            "letsswitch watch --types slot.partnered,slot.alone":
                "Registrations for your slots before they open",
            "letsswitch watch --join --json": "Be present in your rooms, for programs",
        ], run: WatchCommand.run)

    static let wait = Command(
        name: "wait", summary: "Wait for a partner or the room, for scripts",
        details: """
            Without REGISTRATION it is the session that is running, or else the next one. matched: there is
            a partner. Until the room opens that is another person who is registered and can be matched
            with you, and they may still cancel; from then on it is a partner in your room. open: your room is
            open, with a partner or without. connected: a partner is present in your room. Waiting does not
            enter the room; "letsswitch join" does.
            It goes on while the server restarts, and says on standard error what it waits for. Exit codes: 0
            it has happened, 8 --timeout ran out, 4 you are registered for nothing, 5 it cannot happen any
            more, since the session is over or cancelled.
            """,
        arguments: [
            .init(
                name: "REGISTRATION",
                meaning: "The registration, by its id or its number in \"registrations\"",
                isOptional: true, completion: .entries(.registration))
        ],
        options: [
            .init(
                name: "until", value: "WHAT", isRequired: true,
                completion: .words(WaitGoal.allCases.map(\.rawValue)),
                meaning: "What to wait for: matched, open or connected")
        ],
        examples: [
            "letsswitch wait --until open && letsswitch join": "Enter as soon as one can",
            "letsswitch wait --until connected --timeout 10m -q || echo \"No partner came\"":
                "Give up after ten minutes, with exit code 8",
            "letsswitch wait 2 --until matched --json":
                "For the second one of the last list; one JSON object, with the partners",
        ], run: WaitCommand.run)

    static let join = Command(
        name: "join", summary: "Enter your room; space or Enter sends an ale",
        details: """
            Without ROOM it enters the room of yours that is open, or waits for the next one that you are
            registered for. It ends when the room closes. On a terminal: space or Enter cheers, r says that
            you are ready, q leaves, and ? shows all keys. The terminal sounds ten seconds before the start,
            at the start, and for an ale.
            Where standard output or standard input is no terminal, it prints plain lines, and each line of
            standard input sends an ale; after the end of the input it goes on listening.
            """,
        arguments: [room],
        options: [
            .init(
                name: "no-bell", meaning: "No terminal bell, as with \(JoinSound.variable)=off"),
            diagnostics,
        ],
        examples: [
            "letsswitch join": "Enter, or wait for the next room",
            "printf '\\n' | letsswitch join": "Send one ale, then listen",
            "letsswitch join --json </dev/null":
                "Only listen; one JSON object a line: connected, ale, presence, status, acked, closed…",
        ], run: JoinCommand.run)

    static let ale = Command(
        name: "ale", summary: "Send one ale, wait until it has arrived, and leave",
        arguments: [room], options: [diagnostics],
        examples: [
            "letsswitch ale": "To the room of yours that is open",
            "letsswitch ale -q --timeout 5": "Say nothing, give up after five seconds",
        ], run: AleCommand.run)

    static let checkIn = Command(
        name: "check-in", summary: "Check in: say something to your room at the start",
        details:
            "It can be said while your room is open, and all members see it. A new text replaces it.",
        arguments: [
            .init(name: "TEXT", meaning: "What you begin with; at most 200 characters", isOptional: true)
        ],
        options: [.init(name: "remove", meaning: "Take it back")],
        examples: [
            "letsswitch check-in \"The first two pages\"": "To the room that is open",
            "letsswitch check-in --remove": "Say nothing after all",
        ], run: CheckInCommand.run)

    static let outcome = Command(
        name: "outcome", summary: "Say how a session went",
        details: """
            From its start until a day after its end. All members of the room see it, and stats counts
            it. Saying it again replaces it; without --note the note stays.
            """,
        arguments: [
            .init(
                name: "OUTCOME", meaning: "done, partly or not; none takes it back",
                completion: .words(SessionOutcome.allCases.map(\.rawValue) + [OutcomeCommand.none])),
            .init(
                name: "REGISTRATION",
                meaning: "The session, by its id or its number in \"history\". Default: your last one",
                isOptional: true, completion: .entries(.registration)),
        ],
        options: [.init(name: "note", value: "TEXT", meaning: "A few words on it; at most 200 characters")],
        examples: [
            "letsswitch outcome done": "Your last session, or the one that runs",
            "letsswitch outcome partly --note \"The end is missing\"": "With a few words",
            "letsswitch outcome not 2": "The second one of the last list, of the last day",
        ], run: OutcomeCommand.run)

    static let ping = Command(
        name: "ping", summary: "Measure how long the server takes to answer, until Ctrl-C",
        details: """
            It asks by the socket of your room, which it enters as join does; where no room is open, by HTTP.
            It ends with the shortest, the average and the longest time.
            """,
        arguments: [room],
        options: [
            .init(name: "count", value: "N", meaning: "End after that many"),
            .init(name: "interval", value: "SECONDS", meaning: "The pause between two. Default: 1"),
            diagnostics,
        ],
        examples: [
            "letsswitch ping --count 5": "Five times",
            "letsswitch ping --json": "One JSON object a line, the last one sums up",
        ], run: PingCommand.run)
}
