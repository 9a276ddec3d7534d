import Contract

/// `token show`.
enum ShowSecretsCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
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
