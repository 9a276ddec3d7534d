import Client
import Contract
import Reactor

/// `token list`, `token new`, `token revoke`, `token renew` and `token show`.
enum TokensCommand {
    private static let day = 24 * 3600
    private static let days = 1...3650

    @Sendable static func list(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let tokens = try await api.tokens()
        EntryList.show(
            .token, tokens, AccountTokenList(tokens: tokens), invocation, api,
            advice: "End one by its number: letsswitch token revoke N"
        ) { token in
            EntryList.Row(
                entry: ListEntry(token),
                cells: [
                    token.id.description, SafeText.escape(token.prefix.map { $0 + "…" } ?? ""),
                    token.isMain ? local("(main)") : SafeText.escape(token.name ?? ""),
                    ([local("made \(LocalClock.dateAndTime(token.createdAt))"), used(token), expiry(token)]
                        + [token.isCurrent ? local("this one") : nil]).compactMap(\.self).joined(
                            separator: ", "),
                ])
        }
    }

    private static func used(_ token: AccountToken) -> String? {
        if let lastUsedAt = token.lastUsedAt { return local("used \(LocalClock.dateAndTime(lastUsedAt))") }
        return token.isCurrent ? nil : local("not used")
    }

    private static func expiry(_ token: AccountToken) -> String? {
        token.expiresAt.map { local("expires \(LocalClock.dateAndTime($0))") }
    }

    @Sendable static func make(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        let days = try arguments.number("days", in: Self.days) {
            .usage(
                "--days takes a number from \(Self.days.lowerBound) to \(Self.days.upperBound), and not "
                    + "\"\($0)\".")
        }
        let api = try await invocation.signedIn()
        var expiresAt: Timestamp?
        if let days { expiresAt = await ServerClock.now(api).adding(.seconds(days * day)) }
        let made = try await api.makeToken(NewToken(name: arguments[0] ?? "", expiresAt: expiresAt))
        let named = SafeText.escape(made.details.name ?? "")
        let heading: Text =
            if let until = made.details.expiresAt {
                "A token named \(named), valid until \(LocalClock.dateAndTime(until)):\n"
            } else {
                "A token named \(named):\n"
            }
        await invocation.reveal(
            .token, made.token, of: made.details.name, made, heading,
            "\nIt is shown this once. To end it: letsswitch token revoke \(made.details.id)")
    }

    @Sendable static func revoke(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .token)
        try await api.revokeToken(entry.id)
        invocation.console.json(["id": "\(entry.id)", "revoked": true])
        let what: Text = entry.label.map { "Revoked: \($0)." } ?? "Revoked."
        invocation.console.note("\(what) Whatever is signed in with it ends.")
    }

    @Sendable static func renew(_ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        // The lock needs the folder, which exists if there is a token.
        _ = try tokens.read()
        _ = try await TokenRenewal(invocation: invocation, tokens: tokens).begin()
        console.json(["tokenFile": .string(tokens.path)])
        console.note("You have a new token, in \(tokens.path). The old one is not valid any more.")
    }

    /// Shows the secrets that have not been shown.
    @Sendable static func show(_ invocation: Invocation) async throws {
        let (console, tokens) = (invocation.console, try invocation.tokens)
        _ = try tokens.read()
        let items = tokens.unshown.all
        console.json(UnshownSecrets.Content(secrets: items))
        if items.isEmpty { return console.note("Every secret has been shown.") }
        let rows = items.map { item in
            [
                item.kind.name.local, SafeText.escape(item.subject ?? ""),
                local("made \(LocalClock.dateAndTime(item.madeAt))"), SafeText.escape(item.secret),
            ]
        }
        for line in Table.lines(rows) { console.line(line) }
        console.note("They are not kept any more. Store them now.")
        await invocation.forget(items)
    }
}
