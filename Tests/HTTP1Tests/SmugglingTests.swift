import HTTP1
import Testing

/// Request smuggling (RFC 9112 §11.2) in its classes, as collected in "HTTP Desync Attacks" (2019 and 2021)
/// and by the HTTP Garden: no request is accepted that a reader in front could have ended elsewhere.
struct SmugglingTests {
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    private static let codings: [(String, Int)] = [
        ("Transfer-Encoding: xchunked", 501), ("Transfer-Encoding: chunkedx", 501),
        ("Transfer-Encoding: chunk", 501), ("Transfer-Encoding: \"chunked\"", 501),
        ("Transfer-Encoding: 'chunked'", 501), ("Transfer-Encoding: x chunked", 501),
        ("Transfer-Encoding: identity", 501), ("Transfer-Encoding: gzip", 501),
        ("Transfer-Encoding: gzip, chunked", 501), ("Transfer-Encoding: identity, chunked", 501),
        ("Transfer-Encoding: \u{A0}chunked", 501), ("Transfer-Encoding: chun\u{212A}ed", 501),
        ("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", 501),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: x", 400),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: chunked\r\ntransfer-encoding: identity", 400),
        ("Transfer-Encoding: chunked, identity", 400), ("Transfer-Encoding: chunked, chunked", 400),
        ("Transfer-Encoding: chunked,", 400), ("Transfer-Encoding: ,chunked", 400),
        ("Transfer-Encoding: chunked;q=1", 400), ("Transfer-Encoding: chunked chunked", 400),
        ("Transfer-Encoding:", 400), ("Transfer-Encoding: ,", 400), ("Transfer-Encoding : chunked", 400),
        ("Transfer-Encoding\t: chunked", 400), (" Transfer-Encoding: chunked", 400),
        ("\tTransfer-Encoding: chunked", 400), ("Transfer-Encoding\r\n : chunked", 400),
        ("Transfer-Encoding:\r\n chunked", 400), ("Transfer-Encoding: chunked\r\n ", 400),
        ("Transfer-Encoding: chunked\0", 400), ("\0Transfer-Encoding: chunked", 400),
        ("Transfer-Encoding:\u{B}chunked", 400), ("Transfer-Encoding: \u{C}chunked", 400),
        ("Transfer-Encoding: \rchunked", 400), ("X: x\nTransfer-Encoding: chunked", 400),
        ("X: x\rTransfer-Encoding: chunked", 400), ("Transfer-Encoding: chunked\n", 400),
        ("Transfer Encoding: chunked", 400), ("Transfer-Encoding; chunked", 400),
        ("\"Transfer-Encoding\": chunked", 400), ("Transfer-Encoding= chunked", 400),
        ("Trans\u{17F}er-Encoding: chunked", 400),
    ]

    @Test("a Transfer-Encoding that is not just chunked is refused", arguments: codings)
    func coding(field: String, status: Int) {
        expectRefused(Self.post + "\(field)\r\n\r\n0\r\n\r\n", status)
    }

    @Test("no Transfer-Encoding stands beside a Content-Length", arguments: codings.map(\.0))
    func both(field: String) {
        for coding in [field, "Transfer-Encoding: chunked", "transfer-encoding:chunked"] {
            expectRefused(Self.post + "Content-Length: 5\r\n\(coding)\r\n\r\n0\r\n\r\n", 400)
            expectRefused(Self.post + "\(coding)\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", nil)
        }
    }

    @Test(
        "a Content-Length that is not one plain number is refused",
        arguments: [
            "5, 5", "5,6", "5 5", "5;", "5,", ",5", "+5", "-5", "-0", "5.0", "5e0", "0x5", "0o5", "5_0",
            "\"5\"", "five",
            "", " ", "\u{661}", "\u{FF15}", "5\0", "\u{B}5", "5\u{A0}", "5\r\n 5", "\r\n 5",
            "9223372036854775808",
            "18446744073709551616", "18446744073709551621", "99999999999999999999999999999999999999999",
            "5\r\nContent-Length: 5", "5\r\nContent-Length: 6", "5\r\ncontent-length:",
            "5\r\nX: y\r\nCONTENT-LENGTH: 0",
        ])
    func lengths(value: String) {
        expectRefused(Self.post + "Content-Length: \(value)\r\n\r\nhello", 400)
        expectRefused("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: \(value)\r\n\r\nhello", 400)
        expectRefused("POST / HTTP/1.0\r\nContent-Length: \(value)\r\n\r\nhello", 400)
    }

    @Test(
        "names that only resemble those of framing frame nothing",
        arguments: [
            "Transfer_Encoding: chunked", "TransferEncoding: chunked", "X-Transfer-Encoding: chunked",
            "Content_Length: 3", "Content-Lengt: 3", "Content-Length-: 3", "TE: chunked",
        ])
    func otherNames(field: String) {
        let exchange = Exchange.parse(
            Self.post + "\(field)\r\nContent-Length: 5\r\n\r\nhello" + Self.smuggled)
        #expect(exchange.requests.map(\.head.path) == ["/", "/smuggled"])
        #expect(exchange.requests.first?.body == Array("hello".utf8))
        #expect(exchange.error == nil)
    }

    @Test(
        "any method may have a body, and it ends where it says",
        arguments: ["GET", "HEAD", "DELETE", "OPTIONS", "X"])
    func bodies(method: String) {
        let body = Self.smuggled
        let size = String(body.utf8.count, radix: 16, uppercase: true)
        for framed in [
            "Content-Length: \(body.utf8.count)\r\n\r\n\(body)",
            "Transfer-Encoding:\tchunked \r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n",
        ] {
            let text = "\(method) /1 HTTP/1.1\r\nHost: a\r\n\(framed)GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
            #expect(Exchange.parse(text).requests.map(\.head.path) == ["/1", "/2"])
        }
    }

    @Test("a NUL, a bare CR or LF or another control character is refused wherever it stands in a head")
    func controls() {
        let head = Array((Self.post + "Transfer-Encoding: chunked\r\nX: y\r\n\r\n").utf8)
        for index in 0..<(head.count - 1) {
            for byte: UInt8 in [0, 1, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B, 0x7F] {
                let bytes = Array(head[..<index]) + [byte] + Array(head[index...])
                let exchange = Exchange.parse([bytes])
                #expect(exchange.error?.status == 400, "\(byte) at \(index)")
                #expect(exchange.requests.isEmpty, "\(byte) at \(index)")
            }
        }
    }

    @Test("so it is among the sizes, extensions, ends and trailers of chunks")
    func chunkControls() {
        let head = Array((Self.post + "Transfer-Encoding: chunked\r\n\r\n").utf8)
        let body = Array("5;a=b\r\nhello\r\n0;c\r\nX: y\r\n\r\n".utf8)
        let data = 7..<12
        for index in 0..<(body.count - 1) where !data.contains(index) {
            for byte: UInt8 in [0, 1, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B, 0x7F] {
                let exchange = Exchange.parse([head + body[..<index] + [byte] + body[index...]])
                #expect(exchange.error?.status == 400, "\(byte) at \(index)")
                #expect(exchange.requests.first?.isComplete == false, "\(byte) at \(index)")
            }
        }
    }

    @Test(
        "a chunk whose size or end could be read in two ways is refused",
        arguments: [
            "+5", "-5", "0x5", "0X5", "5 ", " 5", "\t5", "5\t", "5 ;a", "5; a", "5;a =b", "5;a= b", "5;",
            "5;;a", "5;a=",
            "5;=a", "5;a=\"b", "5;a=\"b\"c", "5;a=b\"", "5,a", "5.", "5h", "", ";a", "\u{FF15}", "\u{661}",
            "5\0",
            "10000000000000005", "8000000000000005", "FFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFB",
            "7FFFFFFFFFFFFFFF5",
            "00000000000000000000000000000000000000000000000000000000000000000000000g",
        ])
    func sizes(size: String) {
        let head = Self.post + "Transfer-Encoding: chunked\r\n\r\n"
        expectRefused(head + "\(size)\r\nhello\r\n0\r\n\r\n", 400, heads: 1)
    }

    @Test(
        "a chunk that is longer or shorter than its size is refused",
        arguments: [
            "4\r\nhello\r\n", "6\r\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
            "5\r\nhello\r0",
        ])
    func ends(body: String) {
        expectRefused(Self.post + "Transfer-Encoding: chunked\r\n\r\n" + body, 400, heads: 1)
    }

    @Test("trailers frame nothing and become no fields")
    func trailers() throws {
        let trailers =
            "Content-Length: 9\r\nTransfer-Encoding: chunked\r\nHost: evil\r\nConnection: close\r\n"
        let exchange = Exchange.parse(
            Self.post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\(trailers)\r\n"
                + Self.smuggled.replacing("smuggled", with: "2"))
        #expect(exchange.requests.map(\.head.path) == ["/", "/2"])
        #expect(exchange.requests.first?.head.authority == "a")
        #expect(exchange.requests.first?.head.headers.count == 2)
    }

    @Test("a request that ends the connection is the last that is read")
    func last() {
        for head in ["GET / HTTP/1.0\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"] {
            #expect(Exchange.parse(head + "\r\n" + Self.smuggled).requests.count == 1)
        }
    }

    /// Expects that the text is refused with this status, or with any error, and that the text behind it is
    /// not read either.
    private func expectRefused(_ text: String, _ status: Int?, heads: Int = 0) {
        let exchange = Exchange.parse(text + Self.smuggled)
        #expect(exchange.error != nil, "\(text.debugDescription)")
        if let status { #expect(exchange.error?.status == status, "\(text.debugDescription)") }
        #expect(exchange.requests.count == heads, "\(text.debugDescription)")
        #expect(exchange.requests.allSatisfy { !$0.isComplete }, "\(text.debugDescription)")
    }
}
