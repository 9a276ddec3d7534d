import Client
import Contract

enum InviteCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (api, id) = try await invocation.signedIn(
            naming: invocation.arguments[0], .registration, else: next)
        let console = invocation.console
        if invocation.arguments.has("revoke") {
            try await api.removeInvite(to: id)
            console.json(["registrationId": "\(id)", "revoked": true])
            return console.note("Taken back. The link leads nowhere any more.")
        }
        let invite = try await api.makeInvite(to: id)
        let code = SafeText.escape(invite.code)
        await invocation.reveal(
            .invite, invite.url, of: "\(id)", invite, "Give this link to one person:\n",
            "\nIt works once, until \(LocalClock.dateAndTime(invite.expiresAt)), and is shown this once.\n"
                + "With this program: letsswitch register \"What you will do\" --invite \(code)\n"
                + "Take it back: letsswitch invite \(id) --revoke")
    }

    /// Returns the caller's next registration; the one that runs, if none is ahead.
    private static func next(_ api: APIClient) async throws -> Identifier {
        let (current, now) = try await api.registrationsAhead()
        guard let next = current.first(where: { $0.slot.startsAt > now }) ?? current.first else {
            throw Failure(
                .notFound, "No registrations",
                "You have none. letsswitch register \"What you will do\" --at next")
        }
        return next.id
    }
}

/// The code of an invite on the command line: by itself, or at the end of its link.
enum InviteArgument {
    static func code(_ text: String?) throws(Failure) -> String? {
        guard let text else { return nil }
        let code = text.split(separator: "/").last.map(String.init) ?? ""
        let isCode = code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        guard isCode, !code.isEmpty else {
            throw .usage("--invite takes the code or the link that you were given.")
        }
        return code
    }
}
