import Client
import Contract

enum TestEndpointCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let id = try Identifier(argument: invocation.arguments[0] ?? "", command: "endpoints")
        let outcome = try await invocation.signedIn().testEndpoint(id)
        invocation.console.json(outcome)
        guard outcome.outcome == "delivered" else {
            throw Failure(
                .other, "The test was not delivered", "The test was not delivered: \(outcome.detail).")
        }
        invocation.console.line("The test was \(EndpointText.outcome(outcome)).")
    }
}
