import Client
import Contract

enum RotateSecretCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        let answer = try await api.rotateSecret(ofEndpoint: entry.id)
        let console = invocation.console
        await invocation.reveal(.webhookSecret, answer.secret, of: "\(entry.id)") {
            console.json(answer)
            console.note(entry.label.map { "The new secret for \($0):\n" } ?? "The new secret:\n")
            console.line(SafeText.escape(answer.secret))
            console.note(
                "\nIt is shown this once. For 24 hours deliveries are signed with the old one too,\n"
                    + "until \(LocalClock.dateAndTime(answer.previousUntil)). Give your program the new one "
                    + "by then.")
        }
    }
}
