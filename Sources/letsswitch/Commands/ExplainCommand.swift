import Client
import Contract

enum ExplainCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let room = try await room(invocation, api)
        let explanation = try await api.explanation(ofRoom: room)
        let console = invocation.console
        console.json(explanation)
        console.line(SafeText.escape(explanation.message))
        let entries = explanation.members.map { ListEntry($0.id, SafeText.escape($0.name)) }
        let list = EntryList(.person, entries, invocation, api)
        for (index, member) in explanation.members.enumerated() {
            let name = console.dim(list.name(index, entries[index]))
            console.line("\n\(console.bold(entries[index].label))  \(name)")
            for reason in member.reasons { console.line("  \(SafeText.escape(reason.text))") }
        }
        if !entries.isEmpty {
            console.advise("Meet a person again: letsswitch favourite N. Not again: letsswitch block N")
        }
    }

    private static func room(_ invocation: Invocation, _ api: APIClient) async throws -> Identifier {
        if let id = try await invocation.room(api) { return id }
        guard let latest = try await api.rooms(limit: 1).rooms.first else {
            throw Failure(
                .notFound, "There is no room to explain",
                "You have no partner yet. Register first: letsswitch register \"What you will do\" --at next")
        }
        return latest.id
    }
}
