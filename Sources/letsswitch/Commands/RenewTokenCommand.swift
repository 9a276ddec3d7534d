import Client
import Contract

enum RenewTokenCommand {
    private struct Answer: Encodable {
        let tokenFile: String
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        // The lock needs the folder, which exists if there is a token.
        _ = try tokens.read()
        _ = try await TokenRenewal(invocation: invocation, tokens: tokens).begin()
        console.json(Answer(tokenFile: tokens.path))
        console.note("You have a new token, in \(tokens.path). The old one is not valid any more.")
    }
}
