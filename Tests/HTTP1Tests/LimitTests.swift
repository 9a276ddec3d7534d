import HTTP1
import Testing

/// Tests of each limit, and of one byte past it.
struct LimitTests {
    private static let limits = HTTPLimits(
        startLine: 40, headerBytes: 64, headerCount: 4, body: 10, chunkLine: 16, chunkExtensions: 20,
        trailerBytes: 16)

    private func error(_ text: String) -> HTTPError? {
        Exchange.parse(text, limits: Self.limits).error
    }

    @Test("a request line over the limit is refused before it ends", arguments: [(26, true), (27, false)])
    func requestLine(length: Int, fits: Bool) {
        // "GET /" and " HTTP/1.1" are 14 bytes.
        let line = "GET /" + String(repeating: "a", count: length) + " HTTP/1.1"
        #expect(error(line + "\r\nHost: a\r\n\r\n") == (fits ? nil : .targetTooLong(limit: 40)))
        #expect(error(line) == (fits ? nil : .targetTooLong(limit: 40)))
    }

    @Test("field lines over the limit are refused before they end", arguments: [(54, true), (55, false)])
    func headerBytes(length: Int, fits: Bool) {
        // "Host: a" and "X: " are 10 bytes.
        let head = "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "b", count: length)
        #expect(error(head + "\r\n\r\n") == (fits ? nil : .headersTooLarge(limit: 64)))
        #expect(error(head) == (fits ? nil : .headersTooLarge(limit: 64)))
    }

    @Test("more fields than the limit are refused", arguments: [(3, true), (4, false)])
    func headerCount(count: Int, fits: Bool) {
        let fields = String(repeating: "X: y\r\n", count: count)
        let expected = fits ? nil : HTTPError.tooManyHeaders(limit: 4)
        #expect(error("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n") == expected)
    }

    @Test(
        "an announced body over the limit is refused before it arrives", arguments: [(10, true), (11, false)])
    func body(length: Int, fits: Bool) {
        let expected = fits ? nil : HTTPError.bodyTooLarge(limit: 10)
        #expect(error("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n") == expected)
        let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(error(chunked + String(length, radix: 16) + "\r\n") == expected)
        #expect(error(chunked + "4\r\nabcd\r\n" + String(length - 4, radix: 16) + "\r\n") == expected)
    }

    @Test("a body limit can be set after each head, and is the default again for the next")
    func bodyLimit() throws {
        var parser = RequestParser(limits: Self.limits)
        let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n"
        parser.receive(Array("\(request)hello world\(request)".utf8).span.bytes)
        try parser.takeHead()
        parser.bodyLimit = 11
        #expect(try parser.next() == .body(Array("hello world".utf8)))
        #expect(try parser.next() == .end)
        try parser.takeHead()
        #expect(throws: HTTPError.bodyTooLarge(limit: 10)) { _ = try parser.next() }
    }

    @Test("chunk lines, extensions and trailers are bounded")
    func chunks() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(error(head + "1;" + String(repeating: "a", count: 15))?.status == 400)
        #expect(error(head + "1;aaaaaaaaaa\r\nx\r\n1;aaaaaaaaa\r\nx\r\n")?.status == 400)
        #expect(error(head + "1;aaaaaaaaaa\r\nx\r\n1;aaaaaaa\r\nx\r\n0\r\n\r\n") == nil)
        #expect(error(head + "0\r\nX: 45678901234567") == .headersTooLarge(limit: 16))
        #expect(error(head + "0\r\nX: y\r\nX: y\r\nX: y\r\n0: y\r\nX:\r\n") != nil)
    }

    @Test("every error has a status and a sentence")
    func statuses() {
        let errors: [HTTPError] = [
            .malformed("x"), .targetTooLong(limit: 1), .headersTooLarge(limit: 1), .tooManyHeaders(limit: 1),
            .bodyTooLarge(limit: 1), .unsupportedExpectation, .unsupportedTransferCoding, .unsupportedVersion,
            .truncated,
        ]
        #expect(errors.map(\.status) == [400, 414, 431, 431, 413, 417, 501, 505, 400])
        #expect(errors.allSatisfy { $0.detail.hasSuffix(".") })
    }
}
