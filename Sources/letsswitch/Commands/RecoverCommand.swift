import Client
import Contract

/// `recover` and `token recovery`.
enum RecoverCommand {
    private struct Answer: Encodable {
        let tokenFile: String
        let recoveryCode: String
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        if tokens.isSignedIn && !invocation.arguments.has("force") {
            throw Failure(
                .conflict, "You are signed in already",
                "You are signed in already, by \(tokens.path). If that token is of no use, use --force: the "
                    + "new one takes its place.")
        }
        let code = try await code(invocation)
        // The token is shown once, so it has to have a place before it is made.
        try tokens.prepare()
        let recovered = try await invocation.api(token: nil).recover(with: code)
        try tokens.write(StoredToken(recovered.token, for: invocation.server))
        console.json(Answer(tokenFile: tokens.path, recoveryCode: recovered.recoveryCode))
        console.note(
            "You are back. Every token that the account had has ended; the new one is in \(tokens.path).")
        show(recovered.recoveryCode, console)
    }

    @Sendable static func makeCode(_ invocation: Invocation) async throws {
        let code = try await invocation.signedIn().makeRecoveryCode()
        invocation.console.json(IssuedRecoveryCode(recoveryCode: code))
        show(code, invocation.console)
    }

    /// Shows a recovery code, which the server shows once.
    static func show(_ code: String, _ console: Console) {
        console.note("Your recovery code, which brings you back if the token is lost:\n")
        console.line(SafeText.escape(code))
        console.note(
            "\nIt is shown this once. Write it down, and keep it where this machine's loss does not\n"
                + "take it along. A code before it is of no use any more.")
    }

    private static func code(_ invocation: Invocation) async throws -> String {
        let file = invocation.arguments.value("code-file") ?? "-"
        if file != "-" { return try SecretFile.recoveryCode.read(file) }
        let bytes = await StandardInput.readAll(on: invocation.loop, limit: SecretFile.limit)
        return try SecretFile.recoveryCode.word(in: bytes[...], from: "Standard input")
    }
}
