import HTTP1
import Reactor

/// A client that sends requests to one server, each on a connection of its own.
struct HTTPClient: Sendable {
    static let agent = "letsswitch"

    let server: Server
    let loop: EventLoop
    /// The bound of the connection, and of a whole exchange.
    let timeout: Duration
    /// The trust for servers over TLS.
    let trust: Trust

    /// Sends one request, and returns its whole response.
    func send(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil
    ) async throws(ClientError) -> HTTPAnswer {
        var reader = try await open(method, target, headers: headers, body: body)
        let head = try await reader.head()
        let answer = HTTPAnswer(head: head, body: try await reader.body())
        await reader.transport.close()
        return answer
    }

    /// Sends one request on an existing connection, which stays open, and returns its whole response. The
    /// caller sets the deadline.
    func send(
        _ method: HTTPMethod, _ target: String, over transport: Transport
    ) async throws(ClientError) -> HTTPAnswer {
        var reader = await write(method, target, headers: [:], body: nil, isEndless: false, to: transport)
        let head = try await reader.head()
        return HTTPAnswer(head: head, body: try await reader.body())
    }

    /// Sends a request, and returns a reader of its response. The deadline is running.
    func open(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders, body: [UInt8]? = nil,
        isEndless: Bool = false
    ) async throws(ClientError) -> ResponseReader {
        let transport = try await Transport.connect(to: server, trust: trust, on: loop, timeout: timeout)
        await transport.setDeadline(timeout)
        return await write(method, target, headers: headers, body: body, isEndless: isEndless, to: transport)
    }

    private func write(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders, body: [UInt8]?, isEndless: Bool,
        to transport: Transport
    ) async -> ResponseReader {
        var fields: HTTPHeaders = ["Host": server.authority, "User-Agent": Self.agent]
        for field in headers.fields { fields.append(field.name, field.value) }
        var bytes: [UInt8] = []
        RequestEncoder.encode(
            method: method, target: server.basePath + target, headers: fields, body: body, into: &bytes)
        await transport.write(bytes)
        return ResponseReader(transport, responseTo: method, isEndless: isEndless)
    }
}
