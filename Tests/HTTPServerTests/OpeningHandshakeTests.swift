import HTTP1
import HTTPServer
import SocketTesting
import Testing
import WebSocket

/// Tests of RFC 6455 §4.2, on the wire.
@Suite("The opening handshake at a server")
struct OpeningHandshakeTests {
    private static let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    private static let fields = [
        "Host: test", "Connection: Upgrade", "Upgrade: websocket", key, "Sec-WebSocket-Version: 13",
    ]

    /// Returns the answer to an opening handshake. `/strict` refuses as the handshake's rules say, and
    /// otherwise answers 200 with the fields of a 101.
    private func answer(_ line: String, _ fields: [String]) async throws -> ResponseHead? {
        let fixture = try await Fixture { router, _ in
            router.immediate(.get, "/strict") { Self.evaluate($0) }
        }
        let peer = try await fixture.connect()
        await peer.send("\(line)\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n")
        await peer.finish()
        var parser = ResponseParser(responseTo: .get)
        let bytes = try await peer.readToEnd()
        parser.receive(bytes.span.bytes)
        guard case .head(let head)? = try parser.next() else { return nil }
        return head
    }

    private static func evaluate(_ request: HTTPRequest) -> HTTPResponse {
        do throws(HandshakeError) {
            let acceptance = try ServerHandshake.evaluate(
                method: request.head.method.rawValue, minorVersion: request.head.minorVersion,
                values: { request.head.headers.all($0) })
            return HTTPResponse(status: 200, headers: ["X-Accept": acceptance.accept])
        } catch {
            var headers = HTTPHeaders()
            for (name, value) in error.headers { headers.append(name, value) }
            return HTTPResponse(status: error.status, headers: headers, body: Array(error.detail.utf8))
        }
    }

    private static func replacing(_ name: String, by fields: String...) -> [String] {
        Self.fields.filter { !$0.hasPrefix(name + ":") } + fields
    }

    @Test("what is in order is taken, in any case and in lists")
    func accepted() async throws {
        let lists = ["HOST: test", "CONNECTION: keep-alive, UPGRADE", "upgrade: h2c", "UPGRADE: WebSocket"]
        for fields in [Self.fields, lists + [Self.key, "SEC-WEBSOCKET-VERSION: 13"]] {
            let head = try await answer("GET /strict HTTP/1.1", fields)
            #expect(head?.status == 200)
            #expect(head?.headers.first("x-accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        }
    }

    @Test("other methods get 405 and are told which", arguments: ["POST", "PUT", "DELETE", "HEAD", "PATCH"])
    func methods(method: String) async throws {
        let head = try await answer("\(method) /strict HTTP/1.1", Self.fields)
        #expect(head?.status == 405)
        #expect(head?.headers.first("allow")?.hasPrefix("GET") == true)
    }

    @Test("HTTP/1.0 gets 400")
    func oldVersion() async throws {
        #expect(try await answer("GET /strict HTTP/1.0", Self.fields)?.status == 400)
    }

    @Test(
        "a key that is not one of 16 bytes gets 400",
        arguments: [
            [], ["Sec-WebSocket-Key:"], ["Sec-WebSocket-Key: c2hvcnQ="],
            ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ"], ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZSE="],
            [key, key],
        ])
    func keys(keys: [String]) async throws {
        let fields = Self.replacing("Sec-WebSocket-Key") + keys
        #expect(try await answer("GET /strict HTTP/1.1", fields)?.status == 400)
    }

    @Test(
        "no upgrade, and any version but 13, get 426 and are told which",
        arguments: [
            replacing("Upgrade"), replacing("Upgrade", by: "Upgrade: h2c"), replacing("Connection"),
            replacing("Connection", by: "Connection: close"), replacing("Sec-WebSocket-Version"),
            replacing("Sec-WebSocket-Version", by: "Sec-WebSocket-Version: 8"),
            replacing("Sec-WebSocket-Version", by: "Sec-WebSocket-Version: 13, 8"), ["Host: test"],
        ])
    func versions(fields: [String]) async throws {
        let head = try await answer("GET /strict HTTP/1.1", fields)
        #expect(head?.status == 426)
        #expect(head?.headers.first("sec-websocket-version") == "13")
        #expect(head?.headers.first("upgrade") == "websocket")
    }
}
