import Client
import Contract

enum RemoveEndpointCommand {
    private struct Answer: Encodable {
        let id: Identifier
        let removed = true

        private enum CodingKeys: String, CodingKey { case id, removed }
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let id = try Identifier(argument: invocation.arguments[0] ?? "", command: "endpoints")
        try await invocation.signedIn().removeEndpoint(id)
        invocation.console.json(Answer(id: id))
        invocation.console.note("Removed. Nothing is sent there any more.")
    }
}
