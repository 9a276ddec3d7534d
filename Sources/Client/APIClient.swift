import Contract
import HTTP1
package import Reactor

/// The client of the service, with one method for each call. It is a value that can be copied and used
/// anywhere.
public struct APIClient: Sendable {
    public let server: Server
    public let token: String?
    let http: HTTPClient
    /// The policy for repeating calls, which `retrying` sets.
    var retries = RetryPolicy.none
    /// The idempotency key of the next POST, which `repeating` sets; nil for a new one.
    var idempotencyKey: String?
    /// The pace that the server asks for, of all copies of this client.
    let pace = RequestPace()

    /// Makes a client. `timeout` bounds the connection and each exchange; it does not bound streams. `trust`
    /// is for https.
    public init(
        server: Server, token: String? = nil, timeout: Duration = .seconds(30), trust: Trust = .system
    ) throws(ClientError) {
        self.init(server: server, token: token, timeout: timeout, trust: trust, loop: try ClientLoop.shared())
    }

    package init(
        server: Server, token: String?, timeout: Duration = .seconds(30), trust: Trust = .system,
        loop: EventLoop
    ) {
        self.server = server
        self.token = token
        http = HTTPClient(server: server, loop: loop, timeout: timeout, trust: trust)
    }

    /// Returns a client of the same server with another token.
    public func authenticated(with token: String?) -> APIClient {
        APIClient(server: server, token: token, timeout: http.timeout, trust: http.trust, loop: http.loop)
            .retrying(retries)
    }

    var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["Accept": "application/json, \(Problem.mediaType)"]
        if let token { headers.append("Authorization", "Bearer \(token)") }
        return headers
    }

    func send(
        _ method: HTTPMethod, _ target: String, body: [UInt8]? = nil, ifMatch tag: String? = nil
    ) async throws(ClientError) -> HTTPAnswer {
        var headers = headers
        if let tag { headers.append("If-Match", tag) }
        if body != nil { headers.append("Content-Type", "application/json") }
        return try await exchange(method, target, headers: headers, body: body)
    }

    func fetch<Value: Decodable>(
        _ type: Value.Type, _ path: String, _ query: [(name: String, value: String?)] = []
    ) async throws(ClientError) -> Value {
        try await send(.get, Routes.query(path, query)).decode(type)
    }

    /// Reads a resource with its entity tag.
    func fetchTagged<Answer: Decodable, Value>(
        _ type: Answer.Type, _ path: String, _ value: (Answer) -> Value
    ) async throws(ClientError) -> Tagged<Value> {
        let answer = try await send(.get, path)
        return Tagged(value: value(try answer.decode(type)), tag: answer.head.headers.first("etag"))
    }

    func submit<Value: Decodable>(
        _ type: Value.Type, _ method: HTTPMethod, _ path: String, _ body: some RequestBody,
        ifMatch tag: String? = nil
    ) async throws(ClientError) -> Value {
        let bytes: [UInt8]
        do {
            bytes = try JSON.encode(body)
        } catch {
            throw .unexpected("The request cannot be written as JSON.")
        }
        return try await send(method, path, body: bytes, ifMatch: tag).decode(type)
    }
}
