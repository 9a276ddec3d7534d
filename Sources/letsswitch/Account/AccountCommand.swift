import Client
import Contract
import Glibc

/// `account`, `whoami`, `account log-out` and `account delete`.
enum AccountCommand {
    /// The word that takes the language back.
    static let noLanguage = "none"

    /// The maximum number of bytes of a typed confirmation.
    private static let answerLimit = 1024

    /// Shows the account; with options, changes it first.
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (arguments, console) = (invocation.arguments, invocation.console)
        let patch = UserPatch(
            name: arguments.value("name"), timeZone: arguments.value("time-zone"),
            language: try arguments.value("language").map(language) ?? .keep)
        let api = try await invocation.signedIn()
        let isChanged = patch != UserPatch()
        let user = isChanged ? try await api.changeMe(patch) : try await api.me()
        console.json(UserAnswer(user: user))
        if isChanged { console.note("Changed:") }
        var rows = rows(user, invocation) + [[local("Token"), try invocation.tokens.path]]
        if let language = user.language {
            rows.insert([local("Language"), SafeText.escape(language)], at: 2)
        }
        for line in Table.lines(rows) { console.line(line) }
        if !isChanged {
            console.advise("Change it: letsswitch account --name NAME --time-zone Z --language L")
        }
    }

    @Sendable static func whoAmI(_ invocation: Invocation) async throws {
        let user = try await invocation.signedIn().me()
        invocation.console.json(UserAnswer(user: user))
        for line in Table.lines(rows(user, invocation)) { invocation.console.line(line) }
    }

    private static func rows(_ user: User, _ invocation: Invocation) -> [[String]] {
        [
            [local("Name"), SafeText.escape(user.name)],
            [local("Time zone"), SafeText.escape(user.timeZone)],
            [local("Id"), user.id.description], [local("Since"), LocalClock.dateAndTime(user.createdAt)],
            [local("Server"), invocation.server.url],
        ]
    }

    private static func language(_ text: String) throws(Failure) -> Change<Language> {
        if text == noLanguage { return .clear }
        if let language = Language(rawValue: text) { return .set(language) }
        let tags = Language.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("--language takes \(tags) or \(noLanguage), and not \"\(SafeText.escape(text))\".")
    }

    /// Ends the token on the server, and removes it from this machine.
    @Sendable static func logOut(_ invocation: Invocation) async throws {
        let tokens = try invocation.tokens
        // A token that cannot be read can still be removed from here.
        let isLocal = invocation.arguments.has("local")
        if !isLocal || !tokens.isSignedIn { _ = try tokens.read() }
        if !isLocal { try await endToken(invocation) }
        try await forget(tokens)
        invocation.console.json(["revoked": .bool(!isLocal), "tokenFile": .string(tokens.path)])
        invocation.console.note(
            isLocal
                ? "The token is removed from this machine. It is valid still, wherever else it is kept."
                : "You are logged out: the token of this machine has ended, and so has what was signed "
                    + "in with it. Your account stays. Come back with another token (letsswitch login) or "
                    + "with your recovery code (letsswitch recover).")
    }

    private static func endToken(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        do {
            let tokens = try await api.tokens()
            guard let own = tokens.first(where: \.isCurrent) else { return }
            if own.isMain || tokens.count == 1, !invocation.arguments.has("yes") {
                try await confirm(
                    "This ends all tokens of your account: from then on only the recovery code brings you "
                        + "back.", typing: "yes", orElse: "You are still logged in.", invocation)
            }
            try await api.revokeToken(own.id)
        } catch {
            guard case ClientError.problem(let problem) = error else { throw error }
            // A token that is not valid any more need not be ended.
            if problem.status == 401 { return }
            var failure = Failure(problem)
            if problem.status == 409 {
                failure.particulars = [
                    local("A recovery code is made by: letsswitch account recovery"),
                    local("The account is deleted by: letsswitch account delete"),
                ]
            } else if problem.status == 404 {
                failure.particulars = [
                    local("The server is older. Without it: letsswitch account log-out --local")
                ]
            }
            throw failure
        }
    }

    /// Deletes the account, after its name has been typed or with --yes.
    @Sendable static func delete(_ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        let api = try await invocation.signedIn()
        let user = try await api.me()
        if !invocation.arguments.has("yes") {
            try await confirm(
                "This deletes the account of \(SafeText.escape(user.name)) at \(invocation.server.url) for "
                    + "good, with its registrations, its history and everything else that names it.",
                typing: user.name, orElse: "Nothing was deleted.", invocation)
        }
        try await api.deleteMe()
        try await forget(tokens)
        console.json(["deleted": true, "id": "\(user.id)"])
        console.note("The account is deleted, and its token is removed from this machine.")
    }

    /// Removes the stored token, once no other process is about to replace it.
    private static func forget(_ tokens: TokenStore) async throws {
        let lock = try await tokens.lock()
        defer { _ = close(lock) }
        try tokens.remove()
    }

    /// Asks for a word on the terminal. Throws if another one is typed, or there is no terminal.
    private static func confirm(
        _ question: Text, typing word: String, orElse outcome: Text, _ invocation: Invocation
    ) async throws(Failure) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw .usage("Confirm with --yes: there is no terminal to ask on. \(outcome)")
        }
        invocation.console.ask("\(question)\nType \(SafeText.escape(word)) to go on:")
        let typed = await StandardInput.readLine(on: invocation.loop, limit: answerLimit)
        guard typed == word else {
            throw Failure(
                .other, "It was not confirmed", "That is not \"\(SafeText.escape(word))\". \(outcome)")
        }
    }
}
