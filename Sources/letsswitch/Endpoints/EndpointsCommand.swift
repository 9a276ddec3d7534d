import Client
import Contract

enum EndpointsCommand {
    /// The width at which the details of an endpoint are cut, as addresses and reasons may be long.
    private static let width = 80

    @Sendable static func run(_ invocation: Invocation) async throws {
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
        var lines = [EndpointText.shortAddress(endpoint), local("for \(EndpointText.types(endpoint))")]
        if let outcome = endpoint.outcomes?.first {
            lines.append("\(LocalClock.dateAndTime(outcome.at))  \(EndpointText.outcome(outcome))")
        }
        if let trouble = EndpointText.trouble(endpoint) { lines.append(trouble.local) }
        return lines
    }
}
