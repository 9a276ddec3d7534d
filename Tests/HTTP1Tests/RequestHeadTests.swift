import HTTP1
import Testing

/// Tests of request heads that are accepted: RFC 9112 §3 and RFC 9110 §5–§10.
struct RequestHeadTests {
    private func head(_ text: String) throws -> RequestHead {
        let exchange = Exchange.parse(text)
        #expect(exchange.error == nil)
        return try #require(exchange.requests.first).head
    }

    @Test("a request without a body is a head and an end")
    func simple() throws {
        let exchange = Exchange.parse(
            "GET /v1/slots?date=2027-01-02 HTTP/1.1\r\nHost: a.example:8080\r\n\r\n")
        let request = try #require(exchange.requests.first)
        #expect(request.isComplete)
        #expect(request.body.isEmpty)
        #expect(request.head.method == .get)
        #expect(request.head.path == "/v1/slots")
        #expect(request.head.query == "date=2027-01-02")
        #expect(request.head.target == "/v1/slots?date=2027-01-02")
        #expect(request.head.authority == "a.example:8080")
        #expect(request.head.framing == .none)
    }

    @Test(
        "a base path is removed from a path below it, and from no other",
        arguments: [
            ("/switch", "/switch", "/"), ("/switch/", "/switch", "/"), ("/switch/v1/me", "/switch", "/v1/me"),
            ("/a/b/c", "/a/b", "/c"), ("/switch/switch/x", "/switch", "/switch/x"),
            ("/switching", "/switch", "/switching"), ("/v1/me", "/switch", "/v1/me"),
            ("/switch/v1", "", "/switch/v1"), ("/Switch/v1", "/switch", "/Switch/v1"), ("/", "/switch", "/"),
            ("http://a/switch/v1", "/switch", "/v1"), ("*", "/switch", "*"),
        ])
    func basePath(target: String, base: String, path: String) throws {
        let method = target == "*" ? "OPTIONS" : "GET"
        let query = target == "*" ? "" : "?q=%41"
        let head = try head("\(method) \(target)\(query) HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n")
        let below = head.below(base)
        #expect(below.path == path && below.query == head.query && below.target == head.target)
        #expect(below.headers == head.headers && below.keepAlive && below.method == head.method)
        #expect((below === head) == (path == head.path))
    }

    @Test(
        "a base path stays before a path that proxies keep from the outside",
        arguments: ["/switch/metrics", "/switch/cluster/probe"])
    func innerPath(target: String) throws {
        let head = try head("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(head.below("/switch", except: ["/metrics", "/cluster/"]) === head)
    }

    @Test("field names are found in any case, and values lose the white space around them")
    func fields() throws {
        let head = try head("GET / HTTP/1.1\r\nhOST:a\r\nX-Thing: \t one  two \t\r\nx-thing:\r\n\r\n")
        #expect(head.headers.first("HOST") == "a")
        #expect(head.headers.all("X-THING") == ["one  two", ""])
        #expect(head.headers.first("missing") == nil)
    }

    @Test("a value that is not UTF-8 is read as Latin-1")
    func latin1() throws {
        let bytes =
            Array("GET / HTTP/1.1\r\nHost: a\r\nX: caf".utf8) + [0xE9] + Array("\r\nY: é\r\n\r\n".utf8)
        let head = try #require(Exchange.parse([bytes]).requests.first).head
        #expect(head.headers.first("x") == "café")
        #expect(head.headers.first("y") == "é")
    }

    @Test(
        "the connection stays open where both sides can tell",
        arguments: [
            ("1.1", "", true), ("1.1", "Connection: close\r\n", false),
            ("1.1", "Connection: x, CLOSE\r\n", false),
            ("1.0", "", false), ("1.0", "Connection: Keep-Alive\r\n", true),
            ("1.0", "Connection: keep-alive\r\nConnection: close\r\n", false), ("1.9", "", true),
        ])
    func keepAlive(version: String, field: String, keeps: Bool) throws {
        #expect(try head("GET / HTTP/\(version)\r\nHost: a\r\n\(field)\r\n").keepAlive == keeps)
    }

    @Test("an upgrade is offered by both fields together, in HTTP/1.1")
    func upgrade() throws {
        let fields = "Host: a\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n\r\n"
        #expect(try head("GET / HTTP/1.1\r\n" + fields).isUpgrade)
        #expect(try !head("GET / HTTP/1.0\r\n" + fields).isUpgrade)
        #expect(try !head("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n").isUpgrade)
    }

    @Test("100-continue is waited for only where a body follows")
    func expectations() throws {
        let expect = "Host: a\r\nExpect: 100-Continue\r\n"
        #expect(try head("POST / HTTP/1.1\r\n\(expect)Content-Length: 1\r\n\r\n").expectsContinue)
        #expect(try !head("POST / HTTP/1.0\r\n\(expect)Content-Length: 1\r\n\r\n").expectsContinue)
        #expect(try !head("GET / HTTP/1.1\r\n\(expect)\r\n").expectsContinue)
    }

    @Test("one empty line before a request is forgiven")
    func emptyLine() {
        #expect(Exchange.parse("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").requests.count == 1)
        #expect(Exchange.parse("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").error?.status == 400)
    }

    @Test(
        "the forms of a target",
        arguments: [
            ("GET", "/", "/", nil, "h"), ("GET", "/?", "/", "", "h"),
            ("GET", "/a%3Fb%5C%C3%A9;c=d", "/a%3Fb%5C%C3%A9;c=d", nil, "h"),
            ("GET", "/?%61%2F%25", "/", "%61%2F%25", "h"),
            ("GET", "//x", "//x", nil, "h"), ("GET", "/a?b?c", "/a", "b?c", "h"),
            ("GET", "/?a[]=|", "/", "a[]=|", "h"),
            ("GET", "http://b:80/c?d", "/c", "d", "b:80"), ("GET", "HTTPS://b", "/", nil, "b"),
            ("GET", "http://[::1]?q", "/", "q", "[::1]"), ("OPTIONS", "*", "*", nil, "h"),
            ("CONNECT", "b:443", "", nil, "b:443"),
        ] as [(String, String, String, String?, String)])
    func targets(method: String, target: String, path: String, query: String?, authority: String) throws {
        let head = try head("\(method) \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(head.path == path)
        #expect(head.query == query)
        #expect(head.authority == authority)
    }

    @Test("nothing is read after CONNECT, since it would not be HTTP")
    func connect() {
        let exchange = Exchange.parse(
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(exchange.requests.map(\.head.keepAlive) == [false])
    }
}
