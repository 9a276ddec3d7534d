import Client
import Contract

enum LogInCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        switch (arguments.value("token-file"), arguments.value("code")) {
        case (let file?, nil): try await signIn(byTokenIn: file, invocation)
        case (nil, let code?): try await signIn(by: code, invocation)
        case (nil, nil), (.some, .some): throw Failure.usage("Give one of --token-file and --code.")
        }
    }

    /// Signs in for the first time to an account that an operator has made.
    private static func signIn(by code: String, _ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        try refuseUnshown(tokens)
        try RecoverCommand.refuseSignedIn(tokens, invocation)
        // The token is shown once, so it has to have a place before it is made.
        try tokens.prepare()
        let made = try await invocation.api(token: nil).signIn(with: code)
        try RecoverCommand.store(made.token, made.recoveryCode, invocation, tokens)
        await invocation.reveal(.recoveryCode, made.recoveryCode, of: nil) {
            console.json(
                ["recoveryCode": .string(made.recoveryCode), "tokenFile": .string(tokens.path)])
            console.note("You are signed in. The token is in \(tokens.path).")
            RecoverCommand.show(made.recoveryCode, console)
        }
    }

    /// Refuses to sign in while there are secrets that have not been shown.
    private static func refuseUnshown(_ tokens: TokenStore) throws(Failure) {
        guard tokens.unshown.all.isEmpty else {
            throw Failure(
                .conflict, "A secret has not been shown yet, and a new sign-in would remove it.",
                "Show it first: letsswitch token show")
        }
    }

    private static func signIn(byTokenIn file: String, _ invocation: Invocation) async throws {
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
        try refuseUnshown(tokens)
        let (token, user) = try await TokenRenewal.valid(of: stored, invocation)
        try tokens.prepare()
        try tokens.write(StoredToken(token, for: invocation.server))
        UnshownSecrets.removeAll(in: tokens.directory)
        invocation.console.json(UserAnswer(user: user))
        invocation.console.note("You are signed in as \(SafeText.escape(user.name)).")
    }
}
