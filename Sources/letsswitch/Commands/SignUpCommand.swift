import Client
import Contract

enum SignUpCommand {
    private struct Answer: Encodable {
        let user: User
        let tokenFile: String
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        if tokens.isSignedIn && !invocation.arguments.has("force") {
            throw Failure(
                .conflict, "You are signed in already",
                "You are signed in already, by \(tokens.path). Without that token its account is lost: "
                    + "keep a copy, then use --force.")
        }
        // The token is shown once, so it has to have a place before it is made.
        try tokens.prepare()
        let name = invocation.arguments[0] ?? ""
        let user = NewUser(name: name, timeZone: invocation.arguments.value("time-zone"))
        let answer = try await invocation.api(token: nil).signUp(user)
        try tokens.write(answer.token)
        console.json(Answer(user: answer.user, tokenFile: tokens.path))
        console.note("Welcome, \(SafeText.escape(answer.user.name))! You are signed in.")
        console.note(
            "Your time zone is \(SafeText.escape(answer.user.timeZone)). The token is in \(tokens.path)."
        )
        console.note("Next: letsswitch register \"What you will do\" --at next")
    }
}
