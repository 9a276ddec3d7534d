import HTTP1
import HTTPServer
import Reactor
import TestKit
import Testing

@testable import API
@testable import Web

/// A server with the page, and the addresses that the page shares with programs; it has no database.
struct PageServer: Sendable {
    let port: UInt16

    /// The fields of a request as a browser sends them when it opens a page.
    static let html = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    static let gzip = "Accept-Encoding: gzip, deflate, br, zstd"

    static func with(
        requestsPerSecond: Int = 0, hasPage: Bool = true, others: OtherPages = noOthers,
        below base: String = "",
        _ body: (PageServer) async throws -> Void
    ) async throws {
        try await with(
            router(hasPage: hasPage, others, below: base), requestsPerSecond: requestsPerSecond, below: base,
            isUncounted: { WebPage.isOfPage($0, others: others) }, body)
    }

    /// A server without peers.
    static let noOthers = OtherPages(kept: { _ in nil }, find: { _ in nil })

    private static func router(hasPage: Bool, _ others: OtherPages, below base: String) -> Router {
        var router = Router()
        DocumentEndpoints.add(to: &router, below: base)
        router.task(.get, "/invites/{code}") { request in
            HTTPResponse(
                status: 200, headers: ["Content-Type": "text/plain"],
                body: Array((request.parameters.first ?? "").utf8))
        }
        if hasPage { WebPage.add(to: &router, others: others, below: base) }
        return router
    }

    /// Runs a server with those routes.
    static func with(
        _ router: Router, requestsPerSecond: Int = 0, below base: String = "",
        isUncounted: @escaping @Sendable (RequestHead) -> Bool,
        _ body: (PageServer) async throws -> Void
    ) async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.requestsPerSecond = requestsPerSecond
        configuration.basePath = base
        let server = try await HTTPServer(
            HTTPService(
                router: router, refuse: { Answer.refusal(for: $0, to: $1, id: $2) },
                isUncounted: isUncounted
            ).below(base), on: [TestLoops.next()],
            binding: try #require(SocketAddress(numeric: "127.0.0.1", port: 0)), configuration: configuration)
        try await body(PageServer(port: server.address.port))
        await server.drain()
    }

    func send(_ method: String, _ path: String, _ fields: String...) async throws -> RawHTTP.Response {
        try await send(method, path, fields)
    }

    func send(_ method: String, _ path: String, _ fields: [String]) async throws -> RawHTTP.Response {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: test", "Connection: close"] + fields
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return try await RawHTTP.exchange(port: port, Array(text.utf8))
    }
}
