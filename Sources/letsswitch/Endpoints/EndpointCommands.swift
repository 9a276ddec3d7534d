import Client
import Contract

/// `endpoints` and the commands about one endpoint.
enum EndpointCommands {
    /// The width at which the details of an endpoint are cut, as addresses and reasons may be long.
    private static let width = 80

    @Sendable static func list(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let all = try await api.endpoints()
        let console = invocation.console
        console.json(EndpointList(endpoints: all))
        if all.isEmpty { console.note("There are none. letsswitch endpoints add webhook URL") }
        let entries = all.map { ListEntry($0) }
        let list = EntryList(.endpoint, entries, invocation, api)
        for (index, endpoint) in all.enumerated() {
            let state = EndpointText.state(endpoint, console)
            let name = console.bold(list.name(index, entries[index]))
            console.line("\(name)  \(endpoint.kind.rawValue)  \(state)")
            for line in details(endpoint) { console.line(TextWidth.cut("  \(line)", width)) }
        }
        if !all.isEmpty {
            console.advise("By the number: letsswitch endpoints show N, test N, rotate N, remove N")
        }
    }

    static func details(_ endpoint: Endpoint) -> [String] {
        var lines = [
            EndpointText.address(endpoint, isShort: true), local("for \(EndpointText.types(endpoint))"),
        ]
        if let outcome = endpoint.outcomes?.first {
            lines.append("\(LocalClock.dateAndTime(outcome.at))  \(EndpointText.outcome(outcome))")
        }
        if let trouble = EndpointText.trouble(endpoint) { lines.append(trouble.local) }
        return lines
    }

    @Sendable static func show(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        let endpoint = try await api.endpoint(entry.id)
        let console = invocation.console
        console.json(endpoint)
        let rows = [
            [local("Id"), endpoint.id.description], [local("Kind"), endpoint.kind.rawValue],
            [local("Address"), EndpointText.address(endpoint)], [local("For"), EndpointText.types(endpoint)],
            [local("Since"), LocalClock.dateAndTime(endpoint.createdAt)],
            [local("State"), EndpointText.state(endpoint, console)],
        ]
        for line in Table.lines(rows) { console.line(line) }
        if let trouble = EndpointText.trouble(endpoint) { console.line(trouble) }
        let outcomes = endpoint.outcomes ?? []
        if outcomes.isEmpty {
            return console.note("\nNothing has been sent there yet. letsswitch endpoints test \(entry.id)")
        }
        console.line("\nThe latest attempts:")
        for line in Table.lines(outcomes.map(row)) { console.line(line) }
    }

    private static func row(_ outcome: EndpointOutcome) -> [String] {
        [
            LocalClock.dateAndTime(outcome.at), SafeText.escape(outcome.type),
            EndpointText.outcome(outcome),
        ]
    }

    @Sendable static func add(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        let kind = arguments[0] ?? ""
        guard EndpointKind(rawValue: kind) == .webhook else {
            throw Failure.usage(
                "Only a webhook can be added from here, and not \"\(SafeText.escape(kind))\". The app "
                    + "adds its "
                    + "device by itself, and so does a browser.")
        }
        let types = try types(arguments.all("types"))
        let endpoint = try await invocation.signedIn().addEndpoint(
            NewEndpoint(.webhook(url: arguments[1] ?? ""), types: types))
        await invocation.reveal(
            .webhookSecret, endpoint.secret ?? "", of: "\(endpoint.id)", endpoint,
            "Added as \(endpoint.id), for \(EndpointText.types(endpoint)). Its secret:\n",
            "\nIt is shown this once. With it your program checks that a delivery comes from\n"
                + "here, by any library for Standard Webhooks. By hand: letsswitch webhook verify\n"
                + "Try it: letsswitch endpoints test \(endpoint.id)")
    }

    /// Returns the notification types of those names; nil: all types.
    static func types(_ texts: [String]) throws(Failure) -> [NotificationType]? {
        if texts.isEmpty { return nil }
        var types: [NotificationType] = []
        for name in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard let type = NotificationType(rawValue: String(name)) else {
                throw .usage(
                    "There is no notification \"\(SafeText.escape(String(name)))\". There is "
                        + "\(NotificationType.names).")
            }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    @Sendable static func remove(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        try await api.removeEndpoint(entry.id)
        let what = invocation.reportRemoval(of: entry)
        invocation.console.note("\(what) Nothing is sent there any more.")
    }

    @Sendable static func test(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        if let label = entry.label { invocation.console.note("To \(label):") }
        let outcome = try await api.testEndpoint(entry.id)
        invocation.console.json(outcome)
        guard outcome.outcome == "delivered" else {
            throw Failure(
                .other, "The test was not delivered",
                "The test was not delivered: \(outcome.detail).")
        }
        invocation.console.line("The test was \(EndpointText.outcome(outcome)).")
    }

    @Sendable static func rotate(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        let answer = try await api.rotateSecret(ofEndpoint: entry.id)
        await invocation.reveal(
            .webhookSecret, answer.secret, of: "\(entry.id)", answer,
            entry.label.map { "The new secret for \($0):\n" } ?? "The new secret:\n",
            "\nIt is shown this once. For 24 hours deliveries are signed with the old one too,\n"
                + "until \(LocalClock.dateAndTime(answer.previousUntil)). Give your program the new one "
                + "by then.")
    }
}
