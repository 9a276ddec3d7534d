import Client
import Contract

enum RemoveEndpointCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        try await api.removeEndpoint(entry.id)
        let what = invocation.reportRemoval(of: entry)
        invocation.console.note("\(what) Nothing is sent there any more.")
    }
}
