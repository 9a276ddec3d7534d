import Client
import Contract

/// `calendars`, `calendars add` and `calendars remove`.
enum CalendarCommands {
    @Sendable static func list(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let all = try await api.calendars()
        EntryList.show(
            .calendar, all, CalendarFeedList(calendars: all), invocation, api,
            none: "There are none. letsswitch calendars add",
            advice: "Take one back by its number: letsswitch calendars remove N"
        ) { calendar in
            EntryList.Row(
                entry: ListEntry(calendar),
                cells: [
                    calendar.id.description, local("made \(LocalClock.dateAndTime(calendar.createdAt))"),
                    calendar.lastReadAt.map { local("last read \(LocalClock.dateAndTime($0))") }
                        ?? local("never read"),
                ])
        }
    }

    @Sendable static func add(_ invocation: Invocation) async throws {
        let calendar = try await invocation.signedIn().addCalendar()
        await invocation.reveal(
            .calendar, calendar.webcal ?? "", of: "\(calendar.id)", calendar,
            "Give this address to your calendar program:\n",
            "\nIt is shown this once. It gives access to your tasks, and to nothing else; keep it to "
                + "yourself.\n"
                + "Where the program wants https:// or http://, write that in place of webcal://.\n"
                + "Take it back: letsswitch calendars remove \(calendar.id)")
    }

    @Sendable static func remove(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .calendar)
        try await api.removeCalendar(entry.id)
        let what = invocation.reportRemoval(of: entry)
        invocation.console.note("\(what) Its address leads nowhere any more.")
    }
}
