import Client
import Contract

enum RotateSecretCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let id = try Identifier(argument: invocation.arguments[0] ?? "", command: "endpoints")
        let answer = try await invocation.signedIn().rotateSecret(ofEndpoint: id)
        let console = invocation.console
        console.json(answer)
        console.note("The new secret:\n")
        console.line(SafeText.escape(answer.secret))
        console.note(
            """

            It is shown this once. For 24 hours deliveries are signed with the old one too,
            until \(LocalClock.dateAndTime(answer.previousUntil)). Give your program the new one by then.
            """)
    }
}
