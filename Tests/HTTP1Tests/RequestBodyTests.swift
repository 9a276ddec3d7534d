import HTTP1
import Testing

/// Tests of request bodies: RFC 9112 §6 and §7.
struct RequestBodyTests {
    private static let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"

    @Test("a body of a known length ends there")
    func length() throws {
        let exchange = Exchange.parse("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhelloGET")
        let request = try #require(exchange.requests.first)
        #expect(request.body == Array("hello".utf8))
        #expect(request.isComplete)
        #expect(request.head.framing == .length(5))
    }

    @Test(
        "chunks are joined, extensions and trailers ignored",
        arguments: [
            "5\r\nhello\r\n0\r\n\r\n", "2\r\nhe\r\n003\r\nllo\r\n000\r\n\r\n",
            "5;a\r\nhello\r\n0;b=c\r\n\r\n",
            "5;a=\"q\\\";x\";b=1\r\nhello\r\n0\r\nX: y\r\nContent-Length: 7\r\n\r\n",
        ])
    func chunks(body: String) throws {
        let request = try #require(Exchange.parse(Self.chunkedHead + body).requests.first)
        #expect(request.body == Array("hello".utf8))
        #expect(request.isComplete)
    }

    @Test(
        "malformed chunks are refused",
        arguments: [
            "\r\n", ";a\r\n", "g\r\n", "+1\r\na\r\n", "-1\r\n", "0x1\r\na\r\n", " 1\r\na\r\n", "1 \r\na\r\n",
            "1\na\r\n", "1\r\nab\r\n", "1\r\na\n0\r\n\r\n", "1\r\na0\r\n\r\n", "1\r\na\rx",
            "8000000000000000\r\n",
            "ffffffffffffffff\r\n", "10000000000000001\r\na\r\n", "1;\r\na\r\n", "1;a=\r\na\r\n",
            "1;=b\r\na\r\n",
            "1;a=\"b\r\na\r\n", "1;a\"b\"\r\na\r\n", "1;a\rb\r\na\r\n", "1 ;a\r\na\r\n", "1; a\r\na\r\n",
            "0\r\nX : y\r\n\r\n", "0\r\n X: y\r\n\r\n", "0\r\nX: y\n\r\n", "0\r\nbad\r\n\r\n",
        ])
    func badChunks(body: String) throws {
        let exchange = Exchange.parse(Self.chunkedHead + body)
        #expect(exchange.error?.status == 400)
        #expect(exchange.requests.first?.isComplete == false)
    }

    @Test("requests may follow each other in one read")
    func pipelining() {
        let one = "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
        let two = "POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ny\r\n0\r\n\r\n"
        let three = "GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let exchange = Exchange.parse(one + two + three + "GET /4 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(exchange.requests.map(\.head.path) == ["/1", "/2", "/3"])
        #expect(exchange.requests.map(\.body) == [[0x78], [0x79], []])
        #expect(exchange.error == nil)
    }

    @Test("every split of the bytes gives the same requests")
    func splits() {
        let text =
            "\r\nPOST /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + Self.chunkedHead
            + "3;x=\"y\"\r\nd\r\n\r\n0\r\nT: v\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let bytes = Array(text.utf8)
        let whole = Exchange.parse([bytes])
        #expect(whole.requests.map(\.isComplete) == [true, true, true])
        for cut in 0...bytes.count {
            #expect(Exchange.parse([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)")
        }
        #expect(Exchange.parse(bytes.map { [$0] }) == whole)
    }

    @Test("what a client sends after an upgrade is handed over")
    func remainder() throws {
        var parser = RequestParser()
        let text = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n"
        parser.receive((Array(text.utf8) + [0x81, 0x00]).span.bytes)
        try parser.takeHead()
        #expect(try parser.next() == .end)
        #expect(parser.takeRemainder() == [0x81, 0x00])
        #expect(parser.bufferedCount == 0)
    }

    @Test("what follows the last request of a connection is not kept")
    func behindTheLastRequest() throws {
        var parser = RequestParser()
        parser.receive(Array("GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n".utf8).span.bytes)
        try parser.takeHead()
        #expect(try parser.next() == .end)
        #expect(try parser.next() == nil)
        #expect(parser.bufferedCount == 0)
    }

    @Test("the parser says where it is")
    func phases() throws {
        var parser = RequestParser()
        #expect(parser.isIdle == true)
        parser.receive(Array("POST / HT".utf8).span.bytes)
        #expect(try parser.next() == nil)
        #expect(parser.isIdle == false)
        parser.receive(Array("TP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n".utf8).span.bytes)
        try parser.takeHead()
        #expect(try parser.next() == nil)
        #expect(parser.isIdle == false)
        parser.receive(Array("x".utf8).span.bytes)
        #expect(try parser.next() == .body([0x78]))
        #expect(try parser.next() == .end)
        #expect(parser.isIdle && parser.bufferedCount == 0)
    }
}
