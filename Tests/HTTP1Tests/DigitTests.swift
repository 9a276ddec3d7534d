import HTTP1
import Testing

/// Tests of leading zeros: a reader that keeps only so many digits sees another number.
struct DigitTests {
    @Test(
        "a Content-Length has as many digits as the largest number, whatever they are",
        arguments: [(1, nil), (18, nil), (19, nil), (20, 400), (200, 400)] as [(Int, Int?)])
    func lengths(count: Int, status: Int?) {
        let length = String(repeating: "0", count: count - 1) + "5"
        let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\nhello"
        let exchange = Exchange.parse(text)
        #expect(exchange.error?.status == status)
        #expect(exchange.requests.map(\.isComplete) == (status == nil ? [true] : []))
    }

    @Test(
        "a chunk size has as many digits as the largest number, the last one's too",
        arguments: [(1, nil), (15, nil), (16, nil), (17, 400), (200, 400)] as [(Int, Int?)])
    func sizes(count: Int, status: Int?) {
        let zeros = String(repeating: "0", count: count - 1)
        for body in ["\(zeros)5\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n\(zeros)0\r\n\r\n"] {
            let exchange = Exchange.parse(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
            #expect(exchange.error?.status == status)
            #expect(exchange.requests.first?.isComplete == (status == nil))
        }
    }
}
