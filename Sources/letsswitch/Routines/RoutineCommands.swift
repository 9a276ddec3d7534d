import Client
import Contract

/// `routine add`, `routine list` and the other commands about routines.
enum RoutineCommands {
    @Sendable static func add(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        guard let rule = try RoutineWords.rule(arguments) else {
            throw Failure.usage("Say --every, like --every weekday, or --rrule.")
        }
        let new = NewRoutine(
            task: arguments[0] ?? "", tag: arguments.value("tag"), rrule: rule,
            localTime: try RoutineWords.time(arguments.value("at") ?? ""),
            timeZone: arguments.value("time-zone"),
            startDate: try arguments.value("from").map { try RoutineWords.date($0, "--from") },
            exdates: try arguments.all("except").map { try RoutineWords.date($0, "--except") })
        let made = try await invocation.signedIn().makeRoutine(new)
        show(made, invocation.console)
        invocation.console.note("Leave a day out: letsswitch routine skip \(made.id) DATE")
    }

    @Sendable static func list(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let all = try await RoutineList.all {
            try await api.routines(limit: Limits.page.upperBound, cursor: $0)
        }
        EntryList.show(
            .routine, all, RoutineList(routines: all), invocation, api,
            none: "There are none. letsswitch routine add \"What you will do\" --every weekday --at 09:00",
            advice: "By the number: letsswitch routine show N, skip N DATE, pause N, end N"
        ) { routine in
            EntryList.Row(
                entry: ListEntry(routine),
                cells: [
                    routine.id.description, mark(routine), SafeText.escape(routine.task),
                    RoutineWords.describe(routine),
                ])
        }
    }

    /// Returns the cells of a day. The last one says why nothing is registered, or else names what is.
    private static func row(_ occurrence: RoutineOccurrence) -> [String] {
        let detail = occurrence.detail.map { local(Text(english: $0)) }
        return [
            "  \(LocalClock.dateAndTime(occurrence.startsAt))", occurrence.state.word,
            SafeText.escape(detail ?? occurrence.registrationId?.description ?? ""),
        ]
    }

    private static func mark(_ routine: Routine) -> String {
        let problems = routine.problems.count
        return problems == 0
            ? routine.state.word : local("\(routine.state.word), \(problems) not registered")
    }

    @Sendable static func show(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .routine)
        show(try await api.routine(entry.id), invocation.console)
    }

    private static func show(_ routine: Routine, _ console: Console) {
        console.json(routine)
        let tag = routine.tag.map { " [\(SafeText.escape($0))]" } ?? ""
        console.line("\(console.bold(SafeText.escape(routine.task)))\(tag)  (\(routine.id))")
        console.line("\(RoutineWords.describe(routine)), \(routine.state.word)")
        if console.isJSON { return }
        for line in Table.lines(routine.next.map(row)) { console.line(line) }
        let shown = Set(routine.next.map(\.date))
        let others = routine.problems.filter { !shown.contains($0.date) }
        if !others.isEmpty { console.line("Not registered:") }
        for line in Table.lines(others.map(row)) { console.line(line) }
    }

    @Sendable static func change(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        var patch = RoutinePatch(task: arguments.value("task"))
        switch (arguments.value("tag"), arguments.has("no-tag")) {
        case (let tag?, false): patch.tag = .set(tag)
        case (nil, true): patch.tag = .clear
        case (nil, false): break
        case (_?, true): throw Failure.usage("--tag and --no-tag exclude each other.")
        }
        patch.rrule = try RoutineWords.rule(arguments)
        patch.localTime = try arguments.value("at").map { try RoutineWords.time($0) }
        patch.timeZone = arguments.value("time-zone")
        if patch == RoutinePatch() { throw Failure.usage("Say what to change: --task, --at, --every, …") }
        patch.from = try arguments.value("from").map { try RoutineWords.date($0, "--from") }
        try await submit(patch, invocation)
    }

    @Sendable static func pause(_ invocation: Invocation) async throws {
        try await submit(RoutinePatch(paused: true), invocation)
    }

    @Sendable static func resume(_ invocation: Invocation) async throws {
        try await submit(RoutinePatch(paused: false), invocation)
    }

    private static func submit(_ patch: RoutinePatch, _ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .routine)
        show(try await api.changeRoutine(entry.id, patch), invocation.console)
    }

    @Sendable static func skip(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        let date = try RoutineWords.date(arguments[1] ?? "", "DATE")
        let (api, entry) = try await invocation.signedIn(naming: arguments[0], .routine)
        let id = entry.id
        if arguments.has("undo") {
            try await api.unskip(date, ofRoutine: id)
            show(try await api.routine(id), invocation.console)
        } else {
            show(try await api.skip(date, ofRoutine: id), invocation.console)
        }
    }

    @Sendable static func end(_ invocation: Invocation) async throws {
        let keeps = invocation.arguments.has("keep")
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .routine)
        try await api.deleteRoutine(entry.id, keepingRegistrations: keeps)
        invocation.console.json(["id": "\(entry.id)", "removed": true])
        let rest: Text =
            keeps ? "What it has registered stays." : "What it had registered ahead is cancelled."
        invocation.console.note("Ended\(entry.suffix). \(rest)")
    }
}
