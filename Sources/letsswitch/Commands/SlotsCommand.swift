import Client
import Contract

enum SlotsCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let argument = invocation.arguments[0]
        let date = argument.flatMap { LocalDate($0) }
        if let argument, date == nil && !["today", "tomorrow"].contains(argument) {
            throw Failure.usage(
                "\"\(SafeText.escape(argument))\" is no day. Give one like 2027-03-28, or tomorrow.")
        }
        let api = try await invocation.signedIn()
        var list = try await api.slots(date: date)
        if argument == "tomorrow" { list = try await api.slots(date: list.date.next) }
        let console = invocation.console
        console.json(list)
        console.note(console.bold("\(list.date) in \(SafeText.escape(list.timeZone))"))
        let rows = list.slots.map { slot in
            let time = slot.localTime.split(separator: "T").last ?? ""
            return [SafeText.escape(String(time)), slot.state.rawValue, SafeText.escape(slot.message)]
        }
        for (slot, line) in zip(list.slots, Table.lines(rows)) {
            console.line(style(line, slot, console))
        }
    }

    private static func style(_ line: String, _ slot: SlotView, _ console: Console) -> String {
        switch slot.state {
        case .empty: line
        case .waiting: console.yellow(line)
        case .registered, .partnered, .open: console.green(line)
        case .attended, .missed, .lapsed, .closed: console.dim(line)
        }
    }
}
