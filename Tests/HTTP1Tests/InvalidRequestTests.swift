import HTTP1
import Testing

/// Tests that the parser refuses what a strict front end would not forward.
struct InvalidRequestTests {
    @Test(
        "a malformed request line is refused",
        arguments: [
            ("GET /\r\n", 400), ("GET  / HTTP/1.1\r\n", 400), ("GET / HTTP/1.1 \r\n", 400),
            (" GET / HTTP/1.1\r\n", 400), ("GET\t/\tHTTP/1.1\r\n", 400), ("GET / http/1.1\r\n", 400),
            ("GET / HTTP/1.10\r\n", 400), ("GET / HTTP/1\r\n", 400), ("GET / HTTP/x.1\r\n", 400),
            ("GET / HTTP/2.0\r\n", 505), ("PRI * HTTP/2.0\r\n", 505), ("GET / HTTP/0.9\r\n", 505),
            ("G(T / HTTP/1.1\r\n", 400), (" / HTTP/1.1\r\n", 400), ("GET /\0 HTTP/1.1\r\n", 400),
            ("GET /\u{7F} HTTP/1.1\r\n", 400), ("GET /é HTTP/1.1\r\n", 400), ("GET /a b HTTP/1.1\r\n", 400),
            ("GET / HTTP/1.1\n", 400), ("GET / HTTP/1.1\r\r\n", 400), ("\nGET / HTTP/1.1\r\n", 400),
            ("\u{16}\u{3}\u{1}", 400), (String(repeating: "A", count: 33) + " / HTTP/1.1\r\n", 400),
        ])
    func requestLine(line: String, status: Int) {
        let exchange = Exchange.parse(line + "Host: a\r\n\r\n")
        #expect(exchange.error?.status == status)
        #expect(exchange.requests.isEmpty)
    }

    @Test(
        "a target that could be read in two ways is refused",
        arguments: [
            "GET a", "GET *", "GET a:80", "POST *", "GET /#f", "GET /?#f", "GET /%", "GET /%4", "GET /%zz",
            "GET /%00", "GET /%2F", "GET /%2f", "GET /%25", "GET /%2561", "GET http://a/%61",
            "GET /\\", "GET /<", "GET /\"", "GET ftp://a/", "GET http:///",
            "GET http://",
            "GET http://u@a/", "GET http://a:x/", "GET http://a:99999/", "GET http://[::1/", "GET http://a#f",
            "CONNECT /", "CONNECT a", "CONNECT a:", "CONNECT http://a:1", "OPTIONS **",
        ])
    func target(start: String) {
        let exchange = Exchange.parse("\(start) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(exchange.error?.status == 400)
        #expect(exchange.requests.isEmpty)
    }

    @Test("an escape in a path is refused if the character is unreserved, a slash or a percent sign")
    func escapes() throws {
        let refused = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/%"
        for byte in UInt8(1)...255 {
            let digits = String(byte, radix: 16)
            let escape = "%" + String(repeating: "0", count: 2 - digits.count) + digits
            let isRefused = byte < 128 && refused.utf8.contains(byte)
            for spelling in [escape, escape.uppercased()] {
                let inPath = Exchange.parse("GET /a\(spelling)b HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(inPath.error?.status == (isRefused ? 400 : nil), "\(spelling)")
                let inQuery = Exchange.parse("GET /a?\(spelling) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(inQuery.error == nil, "\(spelling)")
            }
        }
    }

    @Test(
        "a malformed field line is refused",
        arguments: [
            "X : 1\r\n", "X\t: 1\r\n", ": 1\r\n", "X\r\n", "X: 1\r\n folded\r\n", "X: 1\r\n\tfolded\r\n",
            " X: 1\r\n", "X: 1\n", "X: 1\rY: 2\r\n", "X: a\0b\r\n", "X: a\u{1}b\r\n", "X: a\u{7F}\r\n",
            "X\u{E9}: 1\r\n", "X(: 1\r\n", "\"X\": 1\r\n", "\r\r\n",
        ])
    func field(line: String) {
        #expect(Exchange.parse("GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n").error?.status == 400)
        #expect(Exchange.parse("GET / HTTP/1.1\r\n\(line)Host: a\r\n\r\n").error?.status == 400)
    }

    @Test(
        "anything but one valid Host is refused",
        arguments: [
            "", "Host:\r\n", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a b\r\n",
            "Host: a, b\r\n",
            "Host: a,b\r\n", "Host: u@a\r\n", "Host: a/b\r\n", "Host: a:b\r\n", "Host: a:65536\r\n",
            "Host: [::1\r\n",
            "Host: [g::]\r\n", "Host: http://a\r\n", "Host: a?b\r\n", "Host: a%00\r\n", "Host: é\r\n",
        ])
    func host(fields: String) {
        #expect(Exchange.parse("GET / HTTP/1.1\r\n\(fields)\r\n").error?.status == 400)
    }

    @Test("HTTP/1.0 needs no Host, but may not have a bad one")
    func oldHost() {
        #expect(Exchange.parse("GET / HTTP/1.0\r\n\r\n").error == nil)
        #expect(Exchange.parse("GET / HTTP/1.0\r\nHost: a b\r\n\r\n").error?.status == 400)
    }

    @Test(
        "a length that two readers could take differently is refused",
        arguments: [
            ("Content-Length: 1\r\nContent-Length: 1\r\n", 400), ("Content-Length: 1, 1\r\n", 400),
            ("Content-Length: +1\r\n", 400), ("Content-Length: -1\r\n", 400), ("Content-Length:\r\n", 400),
            ("Content-Length: 0x1\r\n", 400), ("Content-Length: 1 1\r\n", 400),
            ("Content-Length: 1.0\r\n", 400),
            ("Content-Length: \u{661}\r\n", 400), ("Content-Length: 9223372036854775808\r\n", 400),
            ("Content-Length: 99999999999999999999999\r\n", 400),
            ("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400),
            ("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", 400),
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400),
            ("Transfer-Encoding: chunked, chunked\r\n", 400), ("Transfer-Encoding: chunked, gzip\r\n", 400),
            ("Transfer-Encoding: chunked, gzip, chunked\r\n", 400), ("Transfer-Encoding: , chunked\r\n", 400),
            ("Transfer-Encoding: chunked;a=b\r\n", 400), ("Transfer-Encoding:\r\n", 400),
            ("Transfer-Encoding: gzip, chunked\r\n", 501), ("Transfer-Encoding: gzip\r\n", 501),
            ("Transfer-Encoding: identity\r\n", 501), ("Transfer-Encoding: xchunked\r\n", 501),
            ("Transfer-Encoding: \"chunked\"\r\n", 501), ("Transfer-Encoding : chunked\r\n", 400),
            ("Transfer-Encoding: \u{B}chunked\r\n", 400), ("Expect: 100-continue, x\r\n", 417),
            ("Expect: x\r\n", 417),
        ])
    func framing(fields: String, status: Int) {
        let exchange = Exchange.parse("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        #expect(exchange.error?.status == status)
        #expect(exchange.requests.isEmpty)
    }

    @Test("HTTP/1.0 cannot have a transfer coding")
    func oldCoding() {
        let text = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(Exchange.parse(text).error?.status == 400)
    }

    @Test("after an error nothing more is read, and the error stays")
    func sticky() {
        var parser = RequestParser()
        parser.receive(Array("BAD\r\n".utf8).span.bytes)
        #expect(throws: HTTPError.self) { _ = try parser.next() }
        parser.receive(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span.bytes)
        #expect(throws: HTTPError.self) { _ = try parser.next() }
        #expect(parser.bufferedCount == 0)
    }
}
