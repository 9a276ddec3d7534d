public import Contract
import HTTP1
package import Reactor

/// A client of the service, with a method for each call. Copies share their token, and can be used in any
/// task.
public struct APIClient: Sendable {
    /// The server that the calls go to.
    public let server: Server
    let tokens: TokenKeeper
    let http: HTTPClient
    /// The language of the server's texts; nil for the account's.
    private(set) var language: Language?
    /// The retry policy, which `retrying` sets.
    var retries = RetryPolicy.none
    /// The idempotency key of the next POST, which `repeating` sets; nil for a new one.
    var idempotencyKey: String?
    /// The pace that the server requests, of all copies of this client.
    let pace = RequestPace()

    /// Makes a client. `timeout` bounds the connection and each exchange, but not a stream or the token
    /// source. `trust` is for https. With a `tokenSource`, `token` is the first token and can be left out; a
    /// call whose token is refused is repeated with the next token of the source.
    public init(
        server: Server, token: String? = nil, timeout: Duration = .seconds(30), trust: Trust = .system,
        tokenSource: TokenSource? = nil
    ) throws(ClientError) {
        self.init(
            server: server, token: token, timeout: timeout, trust: trust, tokenSource: tokenSource,
            loop: try ClientLoop.shared())
    }

    package init(
        server: Server, token: String?, timeout: Duration = .seconds(30), trust: Trust = .system,
        tokenSource: TokenSource? = nil, loop: EventLoop
    ) {
        self.server = server
        tokens = TokenKeeper(token, source: tokenSource)
        http = HTTPClient(server: server, loop: loop, timeout: timeout, trust: trust)
    }

    /// The current token: the given one, or the latest of the source.
    public var token: String? { tokens.known }

    /// Returns a client of the same server with another token, and without a token source.
    public func authenticated(with token: String?) -> APIClient {
        APIClient(server: server, token: token, timeout: http.timeout, trust: http.trust, loop: http.loop)
            .retrying(retries).speaking(language)
    }

    /// Returns a client that requests texts in that language: messages of slots, and problems. Nil for the
    /// language of the account.
    public func speaking(_ language: Language?) -> APIClient {
        var client = self
        client.language = language
        return client
    }

    /// Makes a call with the token and, if that is refused, once more with the next token of the source.
    /// Throws the refusal if there is none.
    func signedIn<Value>(
        _ call: (_ token: String?) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        let token = try await tokens.token()
        do throws(ClientError) {
            return try await call(token)
        } catch {
            guard error.isUnauthenticated, let other = try await tokens.replacement(for: token) else {
                throw error
            }
            return try await call(other)
        }
    }

    /// The fields of every call, without the token.
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["Accept": "application/json, \(Problem.mediaType)"]
        if let language { headers.append("Accept-Language", language.rawValue) }
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

    /// Reads one page of a list.
    func fetchPage<Value: Decodable>(
        _ type: Value.Type, _ path: String, _ limit: Int?, _ cursor: String?
    ) async throws(ClientError) -> Value {
        try await fetch(type, path, [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    /// Reads a resource with its entity tag.
    func fetchTagged<Answer: Decodable, Value>(
        _ type: Answer.Type, _ path: String, _ value: (Answer) -> Value
    ) async throws(ClientError) -> Tagged<Value> {
        let answer = try await send(.get, path)
        return Tagged(value: value(try answer.decode(type)), tag: answer.head.headers.first("etag"))
    }

    /// Reads a resource with its entity tag; nil if its tag is still this one.
    func fetchTagged<Value: Decodable>(
        _ type: Value.Type, _ path: String, unlessTagged tag: String?
    ) async throws(ClientError) -> Tagged<Value>? {
        var headers = headers
        if let tag { headers.append("If-None-Match", tag) }
        let answer = try await exchange(.get, path, headers: headers, body: nil)
        if answer.head.status == 304 { return nil }
        return Tagged(value: try answer.decode(type), tag: answer.head.headers.first("etag"))
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
