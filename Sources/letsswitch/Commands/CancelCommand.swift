import Client
import Contract

enum CancelCommand {
    private struct Answer: Encodable {
        let id: Identifier
        let state: RegistrationState
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let id = try Identifier(argument: invocation.arguments[0] ?? "", command: "registrations")
        try await invocation.signedIn().cancel(id)
        invocation.console.json(Answer(id: id, state: .cancelled))
        invocation.console.note("Cancelled.")
    }
}

extension Identifier {
    /// Reads an id. `command`: the command that shows such ids.
    init(argument text: String, command: String) throws(Failure) {
        guard let id = Identifier(text) else {
            throw .usage("\"\(SafeText.escape(text))\" is no id. \"letsswitch \(command)\" shows them.")
        }
        self = id
    }
}
