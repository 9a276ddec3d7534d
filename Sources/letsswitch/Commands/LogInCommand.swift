import Client
import Contract

enum LogInCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let file = invocation.arguments.value("token-file") ?? "-"
        let stored: StoredToken
        if file == "-" {
            let bytes = await StandardInput.readAll(on: invocation.loop, limit: SecretFile.limit)
            stored = try StoredToken(bytes[...], from: "Standard input")
        } else {
            stored = try StoredToken(SecretFile.token.bytes(of: file), from: file)
        }
        let source = file == "-" ? "standard input" : file
        // For a token that names no server, this command names one.
        try stored.check(for: invocation.server, usual: invocation.server, from: source)
        let tokens = try invocation.tokens
        if !tokens.unshown.all.isEmpty {
            throw Failure(
                .conflict, "A secret has not been shown yet, and a new sign-in would remove it.",
                "Show it first: letsswitch token show")
        }
        let (token, user) = try await TokenRenewal.valid(of: stored, invocation)
        try tokens.prepare()
        try tokens.write(StoredToken(token, for: invocation.server))
        UnshownSecrets.removeAll(in: tokens.directory)
        invocation.console.json(UserAnswer(user: user))
        invocation.console.note("You are signed in as \(SafeText.escape(user.name)).")
    }
}
