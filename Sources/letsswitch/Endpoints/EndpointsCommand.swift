import Client
import Contract

enum EndpointsCommand {
    /// The width at which the details of an endpoint are cut, as addresses and reasons may be long.
    private static let width = 80

    @Sendable static func run(_ invocation: Invocation) async throws {
        let all = try await invocation.signedIn().endpoints()
        let console = invocation.console
        console.json(EndpointList(endpoints: all))
        if all.isEmpty { console.note("There are none. letsswitch endpoints add webhook URL") }
        for endpoint in all {
            let state = EndpointText.state(endpoint, console)
            console.line("\(console.bold(endpoint.id.description))  \(endpoint.kind.rawValue)  \(state)")
            for line in details(endpoint) { console.line(TextWidth.cut("  \(line)", width)) }
        }
    }

    static func details(_ endpoint: Endpoint) -> [String] {
        var lines = [EndpointText.shortAddress(endpoint), "for \(EndpointText.types(endpoint))"]
        if let outcome = endpoint.outcomes?.first {
            lines.append("\(LocalClock.dateAndTime(outcome.at))  \(EndpointText.outcome(outcome))")
        }
        if let trouble = EndpointText.trouble(endpoint) { lines.append(trouble) }
        return lines
    }
}
