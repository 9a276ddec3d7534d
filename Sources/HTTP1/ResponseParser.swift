/// A parser that turns the bytes of a server into responses: one for each `expectResponse(to:)`. Interim
/// responses other than 101 are skipped.
package struct ResponseParser: Sendable {
    private enum State {
        /// No request is waiting for its answer.
        case idle
        case start
        case fields(StatusLine, FieldBlock)
        case body(BodyDecoder)
        /// The connection carries no further response: it switched protocols, or the server closes it.
        case closed
        case failed(HTTPError)
    }

    /// The most interim responses before a final one.
    private static let maximumInterimResponses = 16

    /// The limit of the current body; it applies to later bodies too. `Int.max` for a stream without an end.
    package var bodyLimit: Int

    private let limits: HTTPLimits
    private var buffer = InputBuffer()
    private var state: State
    private var method: HTTPMethod
    private var interimResponses = 0
    private var keepsAlive = true

    /// Makes a parser that expects the response to a request with this method.
    package init(responseTo method: HTTPMethod, limits: HTTPLimits = .responses) {
        self.limits = limits
        self.method = method
        bodyLimit = limits.body
        state = .start
    }

    package var bufferedCount: Int { buffer.count }

    /// Whether the last response is complete, and the next request may be sent on the connection.
    package var isIdle: Bool {
        switch state {
        case .idle: buffer.isEmpty
        case .start, .fields, .body, .closed, .failed: false
        }
    }

    /// Takes the event that the next request was sent. To be called between responses, when the parser is
    /// idle.
    package mutating func expectResponse(to method: HTTPMethod) {
        guard case .idle = state else { return }
        self.method = method
        interimResponses = 0
        state = .start
    }

    package mutating func receive(_ bytes: RawSpan) {
        switch state {
        case .idle, .start, .fields, .body: buffer.append(bytes)
        case .closed, .failed: break
        }
    }

    /// Returns the next event; nil if more bytes must arrive. After an error it throws the same error again.
    package mutating func next() throws(HTTPError) -> ResponseEvent? {
        do throws(HTTPError) {
            return try advance()
        } catch {
            state = .failed(error)
            buffer.removeAll()
            throw error
        }
    }

    /// Takes the end of the connection, which ends a body without a length and truncates any other. To be
    /// called after `next` returned nil.
    package mutating func receiveEnd() throws(HTTPError) -> ResponseEvent? {
        switch state {
        case .idle, .closed:
            return nil
        case .body(let decoder) where decoder.endsWithConnection:
            state = .closed
            return .end
        case .start, .fields, .body:
            state = .failed(.truncated)
            throw .truncated
        case .failed(let error):
            throw error
        }
    }

    /// Returns the bytes that the server has already sent in the new protocol after 101.
    package mutating func takeRemainder() -> [UInt8] {
        let remainder = buffer.take(upTo: buffer.count)
        buffer.removeAll()
        state = .closed
        return remainder
    }

    private mutating func advance() throws(HTTPError) -> ResponseEvent? {
        while true {
            switch state {
            case .start:
                let tooLong = HTTPError.targetTooLong(limit: limits.startLine)
                guard let line = try buffer.takeLine(limit: limits.startLine, orThrow: tooLong) else {
                    return nil
                }
                state = .fields(try StatusLine(line), FieldBlock())
            case .fields(let line, var block):
                // The block is held in one place only while it grows, so that it is not copied.
                state = .closed
                let isComplete = try block.read(
                    from: &buffer, byteLimit: limits.headerBytes, countLimit: limits.headerCount)
                guard isComplete else {
                    state = .fields(line, block)
                    return nil
                }
                if let head = try take(line, block.headers) { return .head(head) }
            case .body(var decoder):
                let event = try decoder.next(from: &buffer, bodyLimit: bodyLimit, limits: limits)
                state = .body(decoder)
                switch event {
                case .bytes(let bytes): return .body(bytes)
                case nil: return nil
                case .end:
                    state = keepsAlive ? .idle : .closed
                    if keepsAlive { buffer.releaseIfEmpty() }
                    return .end
                }
            case .idle:
                // Unrequested bytes would be taken for the answer to the next request.
                guard buffer.isEmpty else { throw .malformed("a response came without a request") }
                return nil
            case .closed:
                return nil
            case .failed(let error):
                throw error
            }
        }
    }

    /// Returns the head of a final response; nil after an interim one, which has been skipped.
    private mutating func take(
        _ line: StatusLine, _ headers: HTTPHeaders
    ) throws(HTTPError) -> ResponseHead? {
        let head = try ResponseHead(line: line, headers: headers, responseTo: method)
        if head.status < 200 && head.status != 101 {
            interimResponses += 1
            guard interimResponses <= Self.maximumInterimResponses else {
                throw .malformed("there are too many interim responses")
            }
            state = .start
            return nil
        }
        keepsAlive = head.keepAlive && head.status != 101
        state = .body(BodyDecoder(head.framing))
        return head
    }
}
