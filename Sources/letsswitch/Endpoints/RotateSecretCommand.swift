import Client
import Contract

enum RotateSecretCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        let answer = try await api.rotateSecret(ofEndpoint: entry.id)
        let console = invocation.console
        console.json(answer)
        console.note("The new secret\(entry.label.map { " for \($0)" } ?? ""):\n")
        console.line(SafeText.escape(answer.secret))
        console.note(
            """

            It is shown this once. For 24 hours deliveries are signed with the old one too,
            until \(LocalClock.dateAndTime(answer.previousUntil)). Give your program the new one by then.
            """)
    }
}
