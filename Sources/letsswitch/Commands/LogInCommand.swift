import Client
import Contract

enum LogInCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let file = invocation.arguments.value("token-file") ?? "-"
        let token: String
        if file == "-" {
            let bytes = await StandardInput.readAll(on: invocation.loop, limit: SecretFile.limit)
            token = try SecretFile.token.word(in: bytes[...], from: "Standard input")
        } else {
            token = try SecretFile.token.read(file)
        }
        let user = try await invocation.api(token: token).me()
        let tokens = try invocation.tokens
        try tokens.prepare()
        try tokens.write(token)
        invocation.console.json(UserAnswer(user: user))
        invocation.console.note("You are signed in as \(SafeText.escape(user.name)).")
    }
}
