import Client
import Contract

/// `favourite`, `block`, and the commands that list them.
enum PeopleCommands {
    @Sendable static func favourite(_ invocation: Invocation) async throws {
        try await change(invocation) { api, id in
            try await api.removeFavourite(id)
            return { "No longer a favourite\($0)." }
        } add: { api, id in
            let favourite = try await api.addFavourite(id)
            return (favourite, "\(SafeText.escape(favourite.name)) is one of your favourites.")
        }
    }

    @Sendable static func block(_ invocation: Invocation) async throws {
        let report = invocation.arguments.value("report")
        if invocation.arguments.has("remove") && report != nil {
            throw Failure.usage("--report goes with a block, and --remove takes it back.")
        }
        try await change(invocation) { api, id in
            try await api.unblock(id)
            return { "No longer blocked\($0)." }
        } add: { api, id in
            let block = try await api.block(id, report: report)
            return (block, "You will not meet \(SafeText.escape(block.name)) again.")
        }
    }

    /// Adds the person that the first argument names to a list, or with `--remove` removes them from it.
    private static func change<Added: Encodable>(
        _ invocation: Invocation,
        remove: (APIClient, Identifier) async throws -> (_ suffix: String) -> Text,
        add: (APIClient, Identifier) async throws -> (Added, Text)
    ) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .person)
        let console = invocation.console
        if invocation.arguments.has("remove") {
            let note = try await remove(api, entry.id)
            console.json(["registrationId": "\(entry.id)", "removed": true])
            console.note(note(entry.suffix))
        } else {
            let (added, note) = try await add(api, entry.id)
            console.json(added)
            console.note(note)
        }
    }

    @Sendable static func favourites(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let all = try await FavouriteList.all {
            try await api.favourites(limit: Limits.page.upperBound, cursor: $0)
        }
        EntryList.show(
            .person, all, FavouriteList(favourites: all), invocation, api,
            none: "There are none. letsswitch favourite ID",
            advice: "Take one back by its number: letsswitch favourite N --remove"
        ) { row($0.registrationId, $0.name, $0.createdAt) }
    }

    @Sendable static func blocks(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let all = try await BlockList.all {
            try await api.blocks(limit: Limits.page.upperBound, cursor: $0)
        }
        EntryList.show(
            .person, all, BlockList(blocks: all), invocation, api, none: "There are none.",
            advice: "Take one back by its number: letsswitch block N --remove"
        ) { block in
            let report = String((block.report ?? "").map { $0 == "\n" ? " " : $0 })
            return row(block.registrationId, block.name, block.createdAt, [SafeText.escape(report)])
        }
    }

    private static func row(
        _ id: Identifier, _ name: String, _ createdAt: Timestamp, _ more: [String] = []
    ) -> EntryList.Row {
        let name = SafeText.escape(name)
        return EntryList.Row(
            entry: ListEntry(id, name),
            cells: [LocalClock.dateAndTime(createdAt), id.description, name] + more)
    }
}
