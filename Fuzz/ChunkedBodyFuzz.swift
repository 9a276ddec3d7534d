import HTTP1

/// Reads the body of a request in the chunked coding.
///
/// Oracle: the result is the same however the input is cut; an accepted body is the one that a second, naive
/// reader of the whole text finds; and encoded again in one chunk it is the same body.
enum ChunkedBodyFuzz {
    private static let head = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

    static func test(_ input: [UInt8]) {
        let whole = HTTPRequestFuzz.read([head + input], HTTPRequestFuzz.limits)
        let cut = HTTPRequestFuzz.read([head] + Cuts.pieces(of: input), HTTPRequestFuzz.limits)
        expect(whole.error == cut.error, "the error depends on the cuts")
        if whole.error == nil { expect(whole == cut, "the body depends on the cuts") }
        guard let request = whole.requests.first, request.isComplete else { return }

        expect(NaiveChunks.body(of: input) == request.body, "a naive reader finds another body")
        var bytes = head
        Chunk.encode(request.body, into: &bytes)
        bytes += Chunk.last
        let again = HTTPRequestFuzz.read([bytes], HTTPRequestFuzz.limits)
        expect(again.requests.first?.body == request.body, "the body changed when it was encoded again")
    }
}

/// Reads chunks from a complete text, without looking for errors.
private enum NaiveChunks {
    static func body(of text: [UInt8]) -> [UInt8]? {
        var body: [UInt8] = []
        var index = 0
        while let end = text[index...].firstIndex(of: 13) {
            let digits = text[index..<end].prefix { $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
            if size == 0 { return body }
            let start = end + 2
            guard size <= text.count - start - 2 else { return nil }
            body += text[start..<start + size]
            index = start + size + 2
        }
        return nil
    }
}
