public import Contract
import HTTP1

extension APIClient {
    /// Has notifications sent to a program, a device or a browser. The secret of a webhook, which signs what
    /// is sent, is in this answer and in no other.
    ///
    /// Throws a problem: `invalid` for what cannot be delivered to, `conflict` for what the caller has
    /// already, `limitReached` beyond `Limits.endpoints`.
    public func addEndpoint(_ endpoint: NewEndpoint) async throws(ClientError) -> Endpoint {
        try await submit(Endpoint.self, .post, Routes.endpoints, endpoint)
    }

    /// All of the caller's, oldest first, with what came of the latest attempts.
    public func endpoints() async throws(ClientError) -> [Endpoint] {
        try await fetch(EndpointList.self, Routes.endpoints).endpoints
    }

    /// One of the caller's.
    public func endpoint(_ id: Identifier) async throws(ClientError) -> Endpoint {
        try await fetch(Endpoint.self, Routes.endpoint(id))
    }

    /// Nothing is sent there any more.
    public func removeEndpoint(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.endpoint(id))
    }

    /// Sends a notification of type `test` there, once, and waits for what comes of it: a failed delivery is
    /// an outcome, and no error.
    ///
    /// Throws a problem: `conflict` for one that is disabled, `tooManyRequests` after several in a minute.
    public func testEndpoint(_ id: Identifier) async throws(ClientError) -> EndpointOutcome {
        try await send(.post, Routes.endpointTest(id)).decode(EndpointOutcome.self)
    }

    /// A new secret for a webhook. It is in this answer and in no other; the one before goes on signing until
    /// `previousUntil`.
    public func rotateSecret(ofEndpoint id: Identifier) async throws(ClientError) -> EndpointSecret {
        try await send(.post, Routes.endpointSecret(id)).decode(EndpointSecret.self)
    }

    /// What browsers subscribe with, as `applicationServerKey`: in base64url. It needs no account.
    public func pushKey() async throws(ClientError) -> String {
        try await fetch(PushKey.self, Routes.pushKey).publicKey
    }
}
