/// A parser that turns the bytes of a client into requests (RFC 9112).
///
/// Call `next` until it returns nil before receiving more: then at most one read and the limits are buffered.
/// A server that is busy with a request stops reading; pipelined requests wait in the buffer.
///
/// The parser cannot be copied, so that reading a property copies no buffer.
package struct RequestParser: ~Copyable, Sendable {
    private enum State {
        /// The state between requests. One empty line is skipped (RFC 9112 §2.2).
        case start(skippedLine: Bool)
        case fields(RequestLine, FieldBlock)
        case body(BodyDecoder, keepAlive: Bool)
        /// The last request has been read; later bytes are ignored.
        case closed
        case failed(HTTPError)
    }

    /// The limit of the current body. Each request resets it to `HTTPLimits.body`; it can be changed after
    /// the head.
    package var bodyLimit: Int

    private let limits: HTTPLimits
    private var buffer = InputBuffer()
    private var state = State.start(skippedLine: false)

    package init(limits: HTTPLimits = .requests) {
        self.limits = limits
        bodyLimit = limits.body
    }

    /// The number of bytes that have arrived and are not part of an event yet.
    package var bufferedCount: Int { buffer.count }

    /// The bytes of memory that the parser holds.
    package var heldBytes: Int {
        if case .fields(_, let block) = state { return buffer.capacity + block.headers.heldBytes }
        return buffer.capacity
    }

    /// Whether no part of the next request has arrived: the connection may be closed without a loss.
    package var isIdle: Bool {
        switch state {
        case .start(let skippedLine): buffer.isEmpty && !skippedLine
        case .closed: true
        case .fields, .body, .failed: false
        }
    }

    package mutating func receive(_ bytes: RawSpan) {
        switch state {
        case .start, .fields, .body: buffer.append(bytes)
        case .closed, .failed: break
        }
    }

    /// Returns the next event; nil if more bytes must arrive. After an error it throws the same error again.
    package mutating func next() throws(HTTPError) -> RequestEvent? {
        do throws(HTTPError) {
            return try advance()
        } catch {
            state = .failed(error)
            buffer.removeAll()
            throw error
        }
    }

    /// Returns the bytes that the client has already sent in the new protocol, and ends the parser. To be
    /// called after `.end`, instead of `next`, when the connection is upgraded.
    package mutating func takeRemainder() -> [UInt8] {
        let remainder = buffer.take(upTo: buffer.count)
        buffer.removeAll()
        state = .closed
        return remainder
    }

    private mutating func advance() throws(HTTPError) -> RequestEvent? {
        while true {
            switch state {
            case .start(let skippedLine):
                let tooLong = HTTPError.targetTooLong(limit: limits.startLine)
                guard let line = try buffer.takeLine(limit: limits.startLine, orThrow: tooLong) else {
                    return nil
                }
                if line.isEmpty {
                    guard !skippedLine else { throw .malformed("it starts with empty lines") }
                    state = .start(skippedLine: true)
                } else {
                    state = .fields(try RequestLine(line), FieldBlock())
                }
            case .fields(let line, var block):
                // The block is held in one place only while it grows, so that it is not copied.
                state = .closed
                let isComplete = try block.read(
                    from: &buffer, byteLimit: limits.headerBytes, countLimit: limits.headerCount)
                guard isComplete else {
                    state = .fields(line, block)
                    return nil
                }
                let head = try RequestHead(line, headers: block.headers)
                // Frames follow an upgrade, whatever else the Connection field says.
                state = .body(BodyDecoder(head.framing), keepAlive: head.keepAlive || head.isUpgrade)
                bodyLimit = limits.body
                return .head(head)
            case .body(var decoder, let keepAlive):
                let event = try decoder.next(from: &buffer, bodyLimit: bodyLimit, limits: limits)
                switch event {
                case .bytes(let bytes):
                    state = .body(decoder, keepAlive: keepAlive)
                    // The rest of a body may be long in coming.
                    buffer.releaseIfEmpty()
                    return .body(bytes)
                case .end:
                    state = keepAlive ? .start(skippedLine: false) : .closed
                    // Bytes after the last request are dropped.
                    if keepAlive { buffer.releaseIfEmpty() } else { buffer.removeAll() }
                    return .end
                case nil:
                    state = .body(decoder, keepAlive: keepAlive)
                    return nil
                }
            case .closed:
                return nil
            case .failed(let error):
                throw error
            }
        }
    }
}
