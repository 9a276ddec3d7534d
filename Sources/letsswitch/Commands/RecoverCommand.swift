import Client
import Contract

/// `recover` and `token recovery`.
enum RecoverCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        try refuseSignedIn(tokens, invocation)
        let code = try await code(invocation)
        // The token is shown once, so it has to have a place before it is made.
        try tokens.prepare()
        let recovered = try await invocation.api(token: nil).recover(with: code)
        try store(recovered.token, recovered.recoveryCode, invocation, tokens)
        await invocation.reveal(.recoveryCode, recovered.recoveryCode, of: nil) {
            console.json(
                ["recoveryCode": .string(recovered.recoveryCode), "tokenFile": .string(tokens.path)])
            console.note(
                "You are back. Every token that the account had has ended; the new one is in \(tokens.path).")
            show(recovered.recoveryCode, console)
        }
    }

    /// Refuses to replace a stored token without `--force`.
    static func refuseSignedIn(_ tokens: TokenStore, _ invocation: Invocation) throws(Failure) {
        guard tokens.isSignedIn, !invocation.arguments.has("force") else { return }
        throw Failure(
            .conflict, "You are signed in already",
            "You are signed in already, by \(tokens.path). If that token is of no use, use --force: the "
                + "new one takes its place.")
    }

    @Sendable static func makeCode(_ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        let api = try await invocation.signedIn()
        if let kept = tokens.unshown.all.first(where: { $0.kind == .recoveryCode }) {
            console.json(IssuedRecoveryCode(recoveryCode: kept.secret))
            show(kept.secret, console)
            let time = LocalClock.dateAndTime(kept.madeAt)
            console.note(
                "It was made \(time), and could not be shown then. If you have made another one elsewhere "
                    + "since, that one is valid. A new one: letsswitch account recovery")
            return await invocation.forget([kept])
        }
        let code = try await api.makeRecoveryCode()
        await invocation.reveal(.recoveryCode, code, of: nil) {
            console.json(IssuedRecoveryCode(recoveryCode: code))
            show(code, console)
        }
    }

    /// Stores the token of an account that another one may have had the place of. If it cannot be stored, the
    /// recovery code is the only way back: it is shown with the failure.
    static func store(
        _ token: String, _ code: String?, _ invocation: Invocation, _ tokens: TokenStore
    ) throws(Failure) {
        do throws(Failure) {
            try tokens.write(StoredToken(token, for: invocation.server))
        } catch {
            if let code {
                invocation.console.json(IssuedRecoveryCode(recoveryCode: code))
                show(code, invocation.console)
            }
            throw error
        }
        UnshownSecrets.removeAll(in: tokens.directory)
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
