import Contract
import HTTP1

/// A reader of one response, as it arrives on a transport.
struct ResponseReader: Sendable {
    let transport: Transport
    private var parser: ResponseParser

    init(_ transport: Transport, responseTo method: HTTPMethod, isEndless: Bool = false) {
        self.transport = transport
        parser = ResponseParser(responseTo: method)
        if isEndless { parser.bodyLimit = .max }
    }

    /// Returns the next event; nil if the response is over.
    mutating func next() async throws(ClientError) -> ResponseEvent? {
        while true {
            if let event = try parse({ (parser) throws(HTTPError) in try parser.next() }) { return event }
            if parser.isIdle { return nil }
            guard let bytes = try await transport.read() else {
                return try parse { (parser) throws(HTTPError) in try parser.receiveEnd() }
            }
            parser.receive(bytes.span.bytes)
        }
    }

    mutating func head() async throws(ClientError) -> ResponseHead {
        guard case .head(let head) = try await next() else {
            throw .network("The server closed the connection without an answer.")
        }
        return head
    }

    /// Returns everything up to the end of the response.
    mutating func body() async throws(ClientError) -> [UInt8] {
        var body: [UInt8] = []
        while let event = try await next() {
            switch event {
            case .body(let bytes): body.append(contentsOf: bytes)
            case .end: return body
            case .head: break
            }
        }
        return body
    }

    /// Returns the bytes that have arrived in the new protocol after 101.
    mutating func takeRemainder() -> [UInt8] { parser.takeRemainder() }

    private mutating func parse(
        _ step: (inout ResponseParser) throws(HTTPError) -> ResponseEvent?
    ) throws(ClientError) -> ResponseEvent? {
        do throws(HTTPError) {
            return try step(&parser)
        } catch {
            if error == .truncated {
                throw .network("The server closed the connection in the middle of an answer.")
            }
            throw .unexpected(
                "The server's answer is not HTTP that can be read. \(Text(nesting: error.sentences))")
        }
    }
}
