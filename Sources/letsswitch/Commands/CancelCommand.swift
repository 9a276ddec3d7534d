import Client
import Contract

enum CancelCommand {
    private struct Answer: Encodable {
        let id: Identifier
        let state: RegistrationState
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .registration)
        try await api.cancel(entry.id)
        invocation.console.json(Answer(id: entry.id, state: .cancelled))
        invocation.console.note(entry.label.map { "Cancelled: \($0)" } ?? "Cancelled.")
    }
}
