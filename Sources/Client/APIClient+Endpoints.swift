public import Contract
import HTTP1

extension APIClient {
    /// Adds an endpoint: a program, a device or a browser that notifications are sent to. The secret with
    /// which a webhook is signed is in this answer only.
    ///
    /// Throws a problem: `invalid` for an endpoint that cannot be delivered to, `conflict` for one that the
    /// caller already has, `limitReached` beyond `Limits.endpoints`.
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

    /// Removes an endpoint, so that nothing is sent to it any more.
    public func removeEndpoint(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.endpoint(id))
    }

    /// Sends a notification of type `test` to an endpoint, once, and returns the outcome: a failed delivery
    /// is an outcome, not an error.
    ///
    /// Throws a problem: `conflict` for a disabled endpoint, `tooManyRequests` after several tests in a
    /// minute.
    public func testEndpoint(_ id: Identifier) async throws(ClientError) -> EndpointOutcome {
        try await send(.post, Routes.endpointTest(id)).decode(EndpointOutcome.self)
    }

    /// Has the failed deliveries of an endpoint made again, and returns their number. A webhook that its
    /// failures have disabled is enabled.
    ///
    /// Throws a problem: `conflict` for a disabled device or browser, which has to be registered again, and
    /// for an endpoint that an operator has disabled.
    public func replayEndpoint(_ id: Identifier) async throws(ClientError) -> Int {
        try await send(.post, Routes.endpointReplay(id)).decode(EndpointReplay.self).deliveries
    }

    /// Returns a new secret for a webhook, which is in this answer only. The previous secret goes on signing
    /// until `previousUntil`.
    public func rotateSecret(ofEndpoint id: Identifier) async throws(ClientError) -> EndpointSecret {
        try await send(.post, Routes.endpointSecret(id)).decode(EndpointSecret.self)
    }

    /// Returns the `applicationServerKey` with which browsers subscribe, in base64url. It needs no account.
    public func pushKey() async throws(ClientError) -> String {
        try await fetch(PushKey.self, Routes.pushKey).publicKey
    }
}
