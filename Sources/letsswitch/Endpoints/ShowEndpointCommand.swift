import Client
import Contract

enum ShowEndpointCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
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
}
