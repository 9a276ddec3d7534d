package import Contract
package import HTTP1
package import HTTPServer
package import Reactor

/// A server on loopback whose answers a test scripts. It stops when it is deallocated.
package final class ScriptedServer: Sendable {
    package let port: UInt16
    private let group: EventLoopGroup
    private let server: HTTPServer
    private let silence = Silence()

    /// Starts the server. `routes` adds the calls that are answered; all others are a 404 in the service's
    /// form.
    package init(port: UInt16 = 0, _ routes: (inout Router, EventLoop) -> Void) async throws {
        group = try EventLoopGroup(count: 1, name: "scripted")
        var router = Router(body: 256 * 1024)
        routes(&router, group.loops[0])
        let service = HTTPService(router: router) { fault, _, id in
            switch fault {
            case .notFound: .problem(.notFound, "There is nothing here.")
            case .unreadable, .badTarget, .methodNotAllowed, .timedOut, .tooManyConnections,
                .tooManyConnectionsFromAddress, .tooManyRequests, .outOfMemory:
                .problem(.unreadable, "\(fault) \(id)")
            }
        }
        guard let address = SocketAddress(numeric: "127.0.0.1", port: port) else {
            preconditionFailure("loopback is a numeric address")
        }
        var configuration = HTTPServerConfiguration()
        // The tests' own threads may be busy for long between a connection and its request.
        configuration.headerTimeout = .seconds(120)
        server = try await HTTPServer(
            service, on: group.loops, binding: address, configuration: configuration)
        self.port = server.address.port
    }

    /// Starts the server with one route, which it answers at once.
    package convenience init(
        _ method: HTTPMethod, _ pattern: String, _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) async throws {
        try await self.init { router, _ in router.immediate(method, pattern, answer) }
    }

    deinit {
        speak()
        group.shutdown()
    }

    /// Stops all reading and writing, while the connections stay: as a link that is half open.
    package func fallSilent() async {
        let (loop, silence) = (group.loops[0], silence)
        await withCheckedContinuation { continuation in
            loop.execute {
                // Output of this turn of the loop leaves at its end.
                loop.schedule(after: .zero) {
                    continuation.resume()
                    silence.wait()
                }
            }
        }
    }

    /// Ends the silence for good.
    package func speak() { silence.end() }

    package var url: String { "http://127.0.0.1:\(port)" }
}

extension HTTPResponse {
    package static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        let body = (try? JSON.encode(value)) ?? []
        return HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: body)
    }

    /// A stream of notifications, which `send` writes.
    package static func events(_ send: @escaping @Sendable (ResponseStream) async -> Void) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream"], streaming: send)
    }

    /// A stream of notifications that stays open after that text.
    package static func events(openAfter text: String) -> HTTPResponse {
        .events { stream in
            try? await stream.write(Array(text.utf8))
            try? await Task.sleep(for: .seconds(600))
        }
    }

    package static func problem(
        _ name: ProblemName, _ detail: String, errors: [FieldError]? = nil
    ) -> HTTPResponse {
        let problem = Problem(name, detail: Text(verbatim: detail), instance: "1", errors: errors)
        let body = (try? JSON.encode(problem)) ?? []
        return HTTPResponse(
            status: name.status, headers: ["Content-Type": Problem.mediaType], body: body)
    }
}
