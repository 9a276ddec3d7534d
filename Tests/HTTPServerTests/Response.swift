import HTTP1

/// One parsed response.
struct Response {
    let head: ResponseHead
    var body: [UInt8]

    var status: Int { head.status }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns all responses in the bytes; `methods` has the method of each, and GET counts for further ones.
    static func read(_ bytes: [UInt8], to methods: [HTTPMethod] = []) throws -> [Response] {
        if bytes.isEmpty { return [] }
        var parser = ResponseParser(responseTo: methods.first ?? .get)
        parser.bodyLimit = .max
        parser.receive(bytes.span.bytes)
        var responses: [Response] = []
        while let event = try parser.next() {
            switch event {
            case .head(let head): responses.append(Response(head: head, body: []))
            case .body(let bytes): responses[responses.count - 1].body += bytes
            case .end:
                let next = responses.count < methods.count ? methods[responses.count] : .get
                parser.expectResponse(to: next)
                if parser.bufferedCount == 0 { return responses }
            }
        }
        if case .end? = try parser.receiveEnd() { return responses }
        return responses
    }
}

/// Returns the head of a request, with Host.
func request(_ line: String, _ fields: String...) -> String {
    "\(line) HTTP/1.1\r\nHost: test\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
}
