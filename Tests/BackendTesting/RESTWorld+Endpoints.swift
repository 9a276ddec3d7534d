import Contract
import Postgres
import Testing

@testable import Backend

extension RESTWorld {
    /// Adds a webhook; returns the endpoint.
    func addWebhook(_ token: String, _ url: String, types: String? = nil) async throws -> JSONValue {
        let choice = types.map { #","types":\#($0)"# } ?? ""
        let response = try await send(
            "POST", "/v1/endpoints", token: token, body: #"{"kind":"webhook","url":"\#(url)"\#(choice)}"#)
        #expect(response.status == 201, "\(response.text)")
        return try response.json()
    }

    /// Makes a user who is in a room of half an hour that is about to begin; returns the token, the
    /// registration and the room.
    func personInRoom(_ slot: String = "2027-03-01T12:30:00Z") async throws -> (
        String, Identifier, Identifier
    ) {
        let token = try await signUp("Ann")
        let registration = try await register(token, slot)
        return (token, registration, try await open([registration], at: slot))
    }

    /// Delivers while the body runs.
    func delivering(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await deliveries.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// Waits until the endpoint satisfies the condition, and returns it.
    func endpoint(
        _ id: String, _ token: String, when isSo: (JSONValue) -> Bool
    ) async throws -> JSONValue {
        while true {
            let endpoint = try await send("GET", "/v1/endpoints/\(id)", token: token).json()
            if isSo(endpoint) { return endpoint }
            try Task.checkCancellation()
        }
    }

    /// Waits until the endpoint shows so many outcomes, and returns them, newest first.
    func outcomes(_ id: String, _ token: String, count: Int) async throws -> [JSONValue] {
        try await endpoint(id, token) { ($0["outcomes"]?.array?.count ?? 0) >= count }["outcomes"]?.array
            ?? []
    }
}
