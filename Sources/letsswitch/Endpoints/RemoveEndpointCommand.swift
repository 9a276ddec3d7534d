import Client
import Contract

enum RemoveEndpointCommand {
    private struct Answer: Encodable {
        let id: Identifier
        let removed = true
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        try await api.removeEndpoint(entry.id)
        invocation.console.json(Answer(id: entry.id))
        let what: Text = entry.label.map { "Removed: \($0)." } ?? "Removed."
        invocation.console.note("\(what) Nothing is sent there any more.")
    }
}
