public import Contract
import HTTP1

extension APIClient {
    /// Adds an endpoint: a program, a device or a browser to which the server sends notifications. No other
    /// answer has the secret that signs a webhook.
    ///
    /// Throws a problem: `invalid` for an address to which the server does not deliver, `conflict` for an
    /// endpoint that the caller already has, `limitReached` beyond `Limits.endpoints`.
    public func addEndpoint(_ endpoint: NewEndpoint) async throws(ClientError) -> Endpoint {
        try await submit(Endpoint.self, .post, Routes.endpoints, endpoint)
    }

    /// Returns all endpoints of the caller, oldest first, with the outcomes of their latest attempts.
    public func endpoints() async throws(ClientError) -> [Endpoint] {
        try await fetch(EndpointList.self, Routes.endpoints).endpoints
    }

    /// Returns one of the caller's endpoints.
    public func endpoint(_ id: Identifier) async throws(ClientError) -> Endpoint {
        try await fetch(Endpoint.self, Routes.endpoint(id))
    }

    /// Removes an endpoint, to which the server then sends nothing.
    public func removeEndpoint(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.endpoint(id))
    }

    /// Sends one notification of type `test` to an endpoint, and returns the outcome. A failed delivery is an
    /// outcome, not an error.
    ///
    /// Throws a problem: `conflict` for a disabled endpoint, `tooManyRequests` after several tests in a
    /// minute.
    public func testEndpoint(_ id: Identifier) async throws(ClientError) -> EndpointOutcome {
        try await send(.post, Routes.endpointTest(id)).decode(EndpointOutcome.self)
    }

    /// Retries the failed deliveries of an endpoint, and returns their number. Enables a webhook that was
    /// disabled because of its failures.
    ///
    /// Throws a problem: `conflict` for a disabled device or browser, which has to be registered again, and
    /// for an endpoint that an operator has disabled.
    public func replayEndpoint(_ id: Identifier) async throws(ClientError) -> Int {
        try await send(.post, Routes.endpointReplay(id)).decode(EndpointReplay.self).deliveries
    }

    /// Returns a new secret for a webhook. No other answer has it. The previous secret also signs until
    /// `previousUntil`.
    public func rotateSecret(ofEndpoint id: Identifier) async throws(ClientError) -> EndpointSecret {
        try await send(.post, Routes.endpointSecret(id)).decode(EndpointSecret.self)
    }

    /// Returns the `applicationServerKey` with which browsers subscribe, in base64url. It needs no account.
    public func pushKey() async throws(ClientError) -> String {
        try await fetch(PushKey.self, Routes.pushKey).publicKey
    }
}
