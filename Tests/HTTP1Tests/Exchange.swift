import HTTP1

/// The output of a parser, independent of how the bytes were cut.
struct Exchange: Equatable {
    struct Request: Equatable {
        var head: RequestHead
        var body: [UInt8] = []
        var isComplete = false
    }

    var requests: [Request] = []
    var error: HTTPError?

    /// Parses `pieces` one after the other, as a server would.
    static func parse(_ pieces: [[UInt8]], limits: HTTPLimits = .requests) -> Exchange {
        var exchange = Exchange()
        var parser = RequestParser(limits: limits)
        do throws(HTTPError) {
            for piece in pieces {
                parser.receive(piece.span.bytes)
                while let event = try parser.next() { exchange.take(event) }
            }
        } catch {
            exchange.error = error
        }
        return exchange
    }

    static func parse(_ text: String, limits: HTTPLimits = .requests) -> Exchange {
        parse([Array(text.utf8)], limits: limits)
    }

    private mutating func take(_ event: RequestEvent) {
        switch event {
        case .head(let head): requests.append(Request(head: head))
        case .body(let bytes): requests[requests.count - 1].body += bytes
        case .end: requests[requests.count - 1].isComplete = true
        }
    }
}

private struct NoHead: Error {}

extension RequestParser {
    /// Returns the head that is the next event; throws if it is another one.
    @discardableResult
    mutating func takeHead() throws -> RequestHead {
        guard case .head(let head) = try next() else { throw NoHead() }
        return head
    }
}

extension ResponseParser {
    /// Returns the head that is the next event; throws if it is another one.
    @discardableResult
    mutating func takeHead() throws -> ResponseHead {
        guard case .head(let head) = try next() else { throw NoHead() }
        return head
    }
}
