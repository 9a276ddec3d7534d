import HTTP1
import Testing

/// Tests of responses from the client's side: RFC 9112 §4 and §6.3.
struct ResponseParserTests {
    private struct Response: Equatable {
        var status = 0
        var body: [UInt8] = []
        var isComplete = false
        var error: HTTPError?
    }

    private func parse(_ pieces: [[UInt8]], to method: HTTPMethod, ends: Bool) -> Response {
        var parser = ResponseParser(responseTo: method)
        var response = Response()
        func take(_ event: ResponseEvent) {
            switch event {
            case .head(let head): response.status = head.status
            case .body(let bytes): response.body += bytes
            case .end: response.isComplete = true
            }
        }
        do throws(HTTPError) {
            for piece in pieces {
                parser.receive(piece.span.bytes)
                while let event = try parser.next() { take(event) }
            }
            if ends, let event = try parser.receiveEnd() { take(event) }
        } catch {
            response.error = error
        }
        return response
    }

    @Test(
        "the end of a body is found by method, status and fields, at every split",
        arguments: [
            ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", false, 200, "hi"),
            ("GET", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", false, 200, ""),
            (
                "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", false,
                200, "hi"
            ),
            ("GET", "HTTP/1.0 200 OK\r\n\r\nhi", true, 200, "hi"),
            ("GET", "HTTP/1.1 204 x\r\n\r\n", false, 204, ""),
            ("GET", "HTTP/1.1 304 x\r\nContent-Length: 9\r\n\r\n", false, 304, ""),
            ("HEAD", "HTTP/1.1 200 x\r\nContent-Length: 9\r\n\r\n", false, 200, ""),
            (
                "GET", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nA: b\r\n\r\nHTTP/1.1 204 x\r\n\r\n",
                false, 204, ""
            ),
        ])
    func bodies(method: String, text: String, ends: Bool, status: Int, body: String) {
        let method = HTTPMethod(rawValue: method)
        let expected = Response(status: status, body: Array(body.utf8), isComplete: true)
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(parse(pieces, to: method, ends: ends) == expected, "cut at \(cut)")
        }
    }

    @Test(
        "an end in the middle of a response is an error",
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nh",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
        ])
    func truncation(text: String) {
        #expect(parse([Array(text.utf8)], to: .get, ends: true).error == .truncated)
    }

    @Test("after 101 the rest belongs to the new protocol")
    func switching() throws {
        var parser = ResponseParser(responseTo: .get)
        let text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
        parser.receive((Array(text.utf8) + [0x81]).span.bytes)
        #expect(try parser.takeHead().status == 101)
        #expect(try parser.next() == .end)
        #expect(try parser.next() == nil)
        #expect(parser.takeRemainder() == [0x81])
    }

    @Test("responses follow each other on one connection, and none comes unasked")
    func reuse() throws {
        var parser = ResponseParser(responseTo: .head)
        parser.receive(Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n".utf8).span.bytes)
        try parser.takeHead()
        #expect(try parser.next() == .end)
        #expect(parser.isIdle)
        parser.expectResponse(to: .get)
        parser.receive(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP".utf8).span.bytes)
        try parser.takeHead()
        #expect(try parser.next() == .body([0x78]))
        #expect(try parser.next() == .end)
        #expect(throws: HTTPError.self) { _ = try parser.next() }
    }
}
