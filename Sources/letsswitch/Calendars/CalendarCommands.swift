import Client
import Contract

enum CalendarsCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let all = try await invocation.signedIn().calendars()
        let console = invocation.console
        console.json(CalendarFeedList(calendars: all))
        if all.isEmpty { return console.note("There are none. letsswitch calendars add") }
        for calendar in all {
            let read = calendar.lastReadAt.map { "last read \(LocalClock.dateAndTime($0))" } ?? "never read"
            console.line(
                "\(console.bold(calendar.id.description))  made \(LocalClock.dateAndTime(calendar.createdAt))"
                    + "  \(read)")
        }
        console.note("Take one back: letsswitch calendars remove ID")
    }
}

enum AddCalendarCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let calendar = try await invocation.signedIn().addCalendar()
        let console = invocation.console
        console.json(calendar)
        console.note("Give this address to your calendar program:\n")
        console.line(SafeText.escape(calendar.webcal ?? ""))
        console.note(
            """

            It is shown this once. Whoever has it can read your tasks, and nothing else; keep it to yourself.
            Where the program wants https:// or http://, write that in place of webcal://.
            Take it back: letsswitch calendars remove \(calendar.id)
            """)
    }
}

enum RemoveCalendarCommand {
    private struct Answer: Encodable {
        let id: Identifier
        let removed = true

        private enum CodingKeys: String, CodingKey { case id, removed }
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let id = try Identifier(argument: invocation.arguments[0] ?? "", command: "calendars")
        try await invocation.signedIn().removeCalendar(id)
        invocation.console.json(Answer(id: id))
        invocation.console.note("Removed. Its address leads nowhere any more.")
    }
}
