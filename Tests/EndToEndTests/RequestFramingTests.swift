import Client
import Contract
import HTTP1
import Testing

/// RFC 9112 and 9110 at the shipped server: what a strict front end would not forward is not accepted, and
/// nothing is read behind it.
@Suite("Requests byte for byte", .timeLimit(.minutes(5)))
struct RequestFramingTests {
    private static let get = "GET /livez HTTP/1.1\r\n"
    private static let host = "Host: a\r\n"
    private static let post = "POST /v1/users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

    private static let lengths = [
        "+5", "-5", "5, 5", "5,5", "5 5", "0x5", "5h", "", " ", "5\u{B}", "1e1", "\"5\"",
        "99999999999999999999",
        "000000000000000000005", "5\r\nContent-Length: 5", "5\r\nContent-Length: 6", "5\r\n 5",
        "5\r\nTransfer-Encoding: chunked",
    ].map { ("\(post)Content-Length: \($0)\r\n\r\nhello", 400) }

    private static let codings = [
        ("chunked, chunked", 400), ("identity", 501), ("xchunked", 501), ("chunked\u{B}", 400),
        ("chunked\u{C}", 400), ("gzip, chunked", 501), ("chunked, gzip", 400), ("chunked;x=1", 400),
        ("", 400),
        (",chunked", 400), ("chunked\r\nTransfer-Encoding: chunked", 400),
        ("identity\r\nTransfer-Encoding: chunked", 501), ("\r\n chunked", 400), ("chunked\0", 400),
        ("chunked\r\nContent-Length: 5", 400),
    ].map { ("\(post)Transfer-Encoding: \($0)\r\n\r\n0\r\n\r\n", $1) }

    private static let fields = [
        "Transfer-Encoding : chunked", " X: y", "X: y\n", "X: y\rZ: z", ": y", "X", "X y: z", "X(: z",
        "X: a\u{1}", "X: a\u{7F}", "X: a\0", "X\r\n : y", "\u{FEFF}X: y", "X: y\r\r",
    ]

    private static let heads: [(String, Int)] = fields.map { ("\(get)\(host)\($0)\r\n\r\n", 400) }

    private static let trailers: [(String, Int)] = fields.map { ("\(chunked)0\r\n\($0)\r\n\r\n", 400) }

    private static let sizes: [(String, Int)] = [
        "+5", "-5", "0x5", "5 ", " 5", "5;", "5;a=", "5;a=\"\r\n\"", "5;a=\"\n\"", "5\0", "g", "",
        "ffffffffffffffff", "10000000000000005", "00000000000000005",
    ].map { ("\(chunked)\($0)\r\nhello\r\n0\r\n\r\n", 400) }

    private static let chunks: [(String, Int)] = [
        "5\r\nhello0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "4\r\nhello\r\n0\r\n\r\n", "0\n\n", "0\r\n\n",
    ].map { (chunked + $0, 400) }

    private static let lineEnds: [(String, Int)] = [
        ("\(get)\(host)\n", 400), ("\n\(get)\(host)\r\n", 400), (" \(get)\(host)\r\n", 400),
        ("\r\n\r\n\(get)\(host)\r\n", 400), ("GET /livez HTTP/1.1\nHost: a\n\n", 400),
    ]

    /// Requests over a limit, or of an unsupported kind, and their statuses.
    private static let limits: [(String, Int)] = [
        ("\(get)\(host)\(String(repeating: "a: b\r\n", count: 100))\r\n", 431),
        ("\(get)\(host)a: \(String(repeating: "b", count: 20_000))\r\n\r\n", 431),
        ("\(get)\(host)Expect: cake\r\n\r\n", 417),
        ("\(post)Content-Length: 9223372036854775807\r\n\r\n", 413), ("\(chunked)40001\r\n", 413),
        ("POST /cluster/rooms HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\n", 413),
        ("\(chunked)0\r\n\(String(repeating: "a: b\r\n", count: 101))\r\n", 431),
        ("\(chunked)5;\(String(repeating: "a", count: 300))\r\n", 400),
        ("POST /v1/users HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ]

    private static let hosts: [(String, Int)] = [
        "", "Host:\r\n", "Host: a\r\nHost: a\r\n", "Host: u@a\r\n", "Host: a:x\r\n", "Host: a:99999\r\n",
        "Host: a/b\r\n", "Host: a b\r\n", "Host: a, b\r\n", "Host: http://a\r\n", "Host: [::1\r\n",
        "Host: é\r\n", "Host : a\r\n",
    ].map { ("\(get)\($0)\r\n", 400) }

    private static let lines: [(String, Int)] = [
        ("GET http://u@a/ HTTP/1.1", 400), ("GET http:///livez HTTP/1.1", 400), ("GET * HTTP/1.1", 400),
        ("GET a:80 HTTP/1.1", 400), ("GET livez HTTP/1.1", 400), ("GET /livez#f HTTP/1.1", 400),
        ("GET /%00 HTTP/1.1", 400), ("GET /%2e%2e/livez HTTP/1.1", 400), ("GET /live%7A HTTP/1.1", 400),
        ("GET /%zz HTTP/1.1", 400),
        ("GET /café HTTP/1.1", 400), ("GET /a b HTTP/1.1", 400), ("GET /\\ HTTP/1.1", 400),
        ("CONNECT / HTTP/1.1", 400), ("GET / HTTP/1.10", 400), ("GET / http/1.1", 400),
        ("GET / HTTP/2.0", 505),
        ("GET  / HTTP/1.1", 400), ("GET /", 400), ("G@T / HTTP/1.1", 400),
        ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1", 414),
    ].map { ("\($0)\r\nHost: a\r\n\r\n", $1) }

    @Test("a request that could be read in two ways is refused, and the connection is closed")
    func refused() async throws {
        try await Stage.withServer { _, server in
            let tables = [
                Self.lengths, Self.codings, Self.heads, Self.trailers, Self.sizes, Self.chunks, Self.lineEnds,
                Self.limits, Self.hosts, Self.lines,
            ]
            for (text, status) in tables.joined() {
                let responses = try await Self.exchange(text, server)
                #expect(responses.map(\.status) == [status], "\(text.debugDescription)")
                #expect(responses.first?.headers.first("content-type") == Problem.mediaType)
                #expect(responses.first?.headers.first("connection") == "close", "\(text.debugDescription)")
            }
        }
    }

    @Test("what is right is answered, and the connection goes on")
    func accepted() async throws {
        try await Stage.withServer { _, server in
            let table: [(String, Int)] = [
                ("\(Self.get)\(Self.host)\r\n", 200), ("\r\n\(Self.get)\(Self.host)\r\n", 200),
                ("\(Self.get)Host: [::1]:8080\r\n\r\n", 200),
                // RFC 9112 §3.2.2: the host of the target goes before the field.
                ("GET http://b/livez HTTP/1.1\r\nHost: a\r\n\r\n", 200),
                ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 204),
                ("OPTIONS /livez HTTP/1.1\r\nHost: a\r\n\r\n", 204),
                ("TRACE /livez HTTP/1.1\r\nHost: a\r\n\r\n", 405),
                ("get /livez HTTP/1.1\r\nHost: a\r\n\r\n", 405),
                ("GET /a/../livez HTTP/1.1\r\nHost: a\r\n\r\n", 404),
                ("GET //livez HTTP/1.1\r\nHost: a\r\n\r\n", 404),
                ("GET /livez?%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
                ("GET /livez?q=100% HTTP/1.1\r\nHost: a\r\n\r\n", 400),
                ("GET /?q=100% HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n", 200),
                ("GET /day?q=%ff&%zz HTTP/1.1\r\nHost: a\r\n\r\n", 200),
                ("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400),
                ("\(Self.post)Content-Length: 2\r\n\r\n{}", 422),
                ("\(Self.chunked)2;a=\"b\\\"\";c\r\n{}\r\n0\r\nContent-Length: 9\r\nHost: evil\r\n\r\n", 422),
                ("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200),
            ]
            for (text, status) in table {
                let responses = try await Self.exchange(text, server)
                #expect(responses.map(\.status) == [status, 200], "\(text.debugDescription)")
            }
        }
    }

    @Test(
        "a hundred requests in one piece are answered in order, and none after an error of framing"
    )
    func pipeline() async throws {
        try await Stage.withServer { _, server in
            let kinds: [(String, Int)] = [
                ("\(Self.get)\(Self.host)\r\n", 200), ("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404),
                ("\(Self.post)Content-Length: 5\r\n\r\nhello", 400),
                ("\(Self.chunked)2\r\n{}\r\n0\r\n\r\n", 422), ("GET /v1/me HTTP/1.1\r\nHost: a\r\n\r\n", 401),
                ("DELETE /livez HTTP/1.1\r\nHost: a\r\n\r\n", 405),
            ]
            let hundred = (0..<100).map { kinds[$0 % kinds.count] }
            let text = hundred.map(\.0).joined()
            #expect(try await Self.exchange(text, server).map(\.status) == hundred.map(\.1) + [200])
            let cut = try await Self.exchange(text + Self.get + "\r\n", server)
            #expect(cut.map(\.status) == hundred.map(\.1) + [400])
        }
    }

    /// Returns the responses to the text and to one more request behind it.
    private static func exchange(_ text: String, _ server: ServerProcess) async throws -> [ResponseHead] {
        let wire = try await Wire.connect(port: server.port)
        await wire.write(text + get + host + "Connection: close\r\n\r\n")
        let bytes = Array(try await wire.readAll().utf8)
        var parser = ResponseParser(responseTo: .get)
        parser.receive(bytes.span.bytes)
        var heads: [ResponseHead] = []
        while let event = try parser.next() {
            switch event {
            case .head(let head): heads.append(head)
            case .body: break
            case .end:
                if parser.bufferedCount == 0 { return heads }
                parser.expectResponse(to: .get)
            }
        }
        return heads
    }
}
