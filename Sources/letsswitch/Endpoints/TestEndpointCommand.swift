import Client
import Contract

enum TestEndpointCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .endpoint)
        if let label = entry.label { invocation.console.note("To \(label):") }
        let outcome = try await api.testEndpoint(entry.id)
        invocation.console.json(outcome)
        guard outcome.outcome == "delivered" else {
            throw Failure(
                .other, "The test was not delivered",
                "The test was not delivered: \(Text(recognising: outcome.detail)).")
        }
        invocation.console.line("The test was \(EndpointText.outcome(outcome)).")
    }
}
