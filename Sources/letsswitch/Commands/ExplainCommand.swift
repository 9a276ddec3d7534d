import Client
import Contract

enum ExplainCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let room = try await room(invocation.arguments[0], api)
        let explanation = try await api.explanation(ofRoom: room)
        let console = invocation.console
        console.json(explanation)
        console.line(SafeText.escape(explanation.message))
        for member in explanation.members {
            console.line(
                "\n\(console.bold(SafeText.escape(member.name)))  \(console.dim(member.id.description))")
            for reason in member.reasons { console.line("  \(SafeText.escape(reason.text))") }
        }
    }

    private static func room(_ argument: String?, _ api: APIClient) async throws -> Identifier {
        if let argument { return try Identifier(argument: argument, command: "watch") }
        guard let latest = try await api.rooms(limit: 1).rooms.first else {
            throw Failure(
                .notFound, "There is no room to explain",
                "You have met nobody yet. Register first: letsswitch register \"What you will do\" --at next")
        }
        return latest.id
    }
}
