import Client
import Contract

enum SignUpCommand {
    private struct Answer: Encodable {
        let user: User
        let tokenFile: String
        let recoveryCode: String?
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let tokens = try invocation.tokens
        if tokens.isSignedIn && !invocation.arguments.has("force") {
            throw Failure(
                .conflict, "You are signed in already",
                "You are signed in already, by \(tokens.path). Without that token and a recovery code its "
                    + "account is lost: keep a copy, then use --force.")
        }
        let invite = try InviteArgument.code(invocation.arguments.value("invite"))
        // The token is shown once, so it has to have a place before it is made.
        try tokens.prepare()
        let name = invocation.arguments[0] ?? ""
        let chosen = invocation.arguments.value("time-zone")
        let machines = chosen == nil ? MachineZone.name : nil
        let new = NewUser(
            name: name, timeZone: chosen ?? machines, code: invocation.arguments.value("code"), invite: invite
        )
        let answer = try await signUp(new, isSure: chosen != nil, invocation)
        try RecoverCommand.store(answer.token, answer.recoveryCode, invocation, tokens)
        guard let code = answer.recoveryCode else { return show(answer, machines, invocation, tokens) }
        await invocation.reveal(.recoveryCode, code, of: nil) {
            show(answer, machines, invocation, tokens)
        }
    }

    private static func show(
        _ answer: SignedUp, _ machines: String?, _ invocation: Invocation, _ tokens: TokenStore
    ) {
        let console = invocation.console
        console.json(
            Answer(user: answer.user, tokenFile: tokens.path, recoveryCode: answer.recoveryCode))
        console.note("Welcome, \(SafeText.escape(answer.user.name))! You are signed in.")
        let zone = answer.user.timeZone
        let (shown, path) = (SafeText.escape(zone), tokens.path)
        if invocation.arguments.value("time-zone") != nil {
            console.note("Your time zone is \(shown). The token is in \(path).")
        } else if zone == machines {
            console.note("Your time zone is \(shown), as on this machine. The token is in \(path).")
        } else {
            console.note(
                "Your time zone is \(shown), as this machine's is not known. The token is in \(path).")
        }
        if let code = answer.recoveryCode { RecoverCommand.show(code, console) }
        console.note("Next: letsswitch register \"What you will do\" --at next")
    }

    /// Signs up. A zone that the user did not name is left out if the server does not know it.
    private static func signUp(
        _ new: NewUser, isSure: Bool, _ invocation: Invocation
    ) async throws(ClientError) -> SignedUp {
        let api = invocation.api(token: nil)
        do throws(ClientError) {
            return try await api.signUp(new)
        } catch {
            guard case .problem(let problem) = error, !isSure, new.timeZone != nil,
                problem.errors?.contains(where: { $0.pointer == "/timeZone" }) == true
            else { throw error }
            var zoneless = new
            zoneless.timeZone = nil
            return try await api.signUp(zoneless)
        }
    }
}
