import Client
import Contract

enum SlotsCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let argument = invocation.arguments[0]?.lowercased()
        let date = argument.flatMap { LocalDate($0) }
        let weekday = argument.flatMap { Weekday($0) }
        if let argument, date == nil, weekday == nil, !["today", "tomorrow"].contains(argument) {
            throw Failure.usage(
                "\"\(SafeText.escape(argument))\" is no day. Give one like 2027-03-28, tomorrow or monday.")
        }
        let minutes = try SlotLength.read(invocation.arguments)
        let api = try await invocation.signedIn()
        var list = try SlotLength.check(minutes, in: try await api.slots(date: date, minutes: minutes))
        // The list of today says which day it is in the account's zone.
        let days = weekday.map { $0.days(after: list.date.dayOfWeek) } ?? (argument == "tomorrow" ? 1 : 0)
        if days > 0 { list = try await api.slots(date: list.date.adding(days: days), minutes: minutes) }
        let console = invocation.console
        console.json(list)
        let isWhole = invocation.arguments.has("all")
        var slots = list.slots
        if !isWhole && !console.isJSON {
            let now = await ServerClock.now(api)
            slots = slots.filter { !$0.isOver(at: now) }
        }
        console.note(console.bold(title(of: list).local))
        let rows = slots.map { slot in
            [
                SafeText.escape(list.clock(of: slot)), slot.state.word, SafeText.escape(slot.message),
                work(in: slot),
            ]
        }
        for (slot, line) in zip(slots, Table.lines(rows)) {
            console.line(style(line, slot, console))
        }
        if slots.count < list.slots.count {
            let word = argument.map { " \(SafeText.escape($0))" } ?? ""
            console.note(
                slots.isEmpty
                    ? "All slots of the day are over. Show them: letsswitch slots\(word) --all"
                    : "Those that are over: letsswitch slots\(word) --all")
        }
        if let free = list.slots.first(where: \.canBeHad)?.time {
            let length = minutes.map { " --for \($0)" } ?? ""
            console.advise(
                "Take one: letsswitch register \"What you will do\" --at \"\(list.date) \(free)\"\(length)")
        }
    }

    /// Returns the day, and the length of the slots and of others, if there are others.
    private static func title(of list: SlotList) -> Text {
        let day: Text = "\(list.date) in \(SafeText.escape(list.timeZone))"
        guard let minutes = list.minutes else { return day }
        let others = (list.lengths ?? []).filter { $0 != minutes }.map { "--for \($0)" }
        if others.isEmpty { return "\(day), \(minutes) minutes each" }
        return "\(day), \(minutes) minutes each; others with \(Text.anyOf(others))"
    }

    /// Returns the task of the caller, and who is in the room with whose task.
    private static func work(in slot: SlotView) -> String {
        guard let task = slot.task else { return "" }
        let partners = slot.partners ?? []
        if partners.isEmpty { return SafeText.escape(task) }
        return local("\(SafeText.escape(task)), with \(NotificationText.names(partners))")
    }

    private static func style(_ line: String, _ slot: SlotView, _ console: Console) -> String {
        switch slot.state.known {
        case .empty, nil: line
        case .waiting: console.yellow(line)
        case .registered, .partnered, .open: console.green(line)
        case .attended, .missed, .lapsed, .closed: console.dim(line)
        }
    }
}
