/// The assembler of frames that arrive in pieces, and of messages of several frames.
struct Assembly: Sendable {
    private enum Frame {
        /// The state between two bytes of a header, or between two frames.
        case header([UInt8])
        case payload(FrameHeader, received: Int)
    }

    /// A text or binary message whose last frame has not ended.
    private struct Message {
        let isText: Bool
        var bytes: [UInt8] = []
        var text = UTF8Validator()
    }

    private let role: Role
    private let maximumMessageBytes: Int
    private var frame = Frame.header([])
    private var message: Message?
    /// The payload of a control frame, which may arrive between the frames of a message.
    private var control: [UInt8] = []

    init(role: Role, maximumMessageBytes: Int) {
        self.role = role
        self.maximumMessageBytes = maximumMessageBytes
    }

    /// Whether no frame and no message has begun.
    var isEmpty: Bool {
        switch frame {
        case .header(let bytes): bytes.isEmpty && message == nil
        case .payload: false
        }
    }

    /// Returns the next event, as `MessageDecoder.next` does.
    mutating func next(
        _ bytes: inout MutableRawSpan, from offset: inout Int
    ) throws(WebSocketError) -> WebSocketEvent? {
        while true {
            switch frame {
            case .header(let gathered):
                guard let header = try readHeader(bytes.bytes, from: &offset, gathered) else { return nil }
                try begin(header)
                frame = .payload(header, received: 0)
            case .payload(let header, let received):
                let count = min(header.length - received, bytes.byteCount - offset)
                let range = offset..<(offset + count)
                _ = Masking.unmask(&bytes, range, key: header.key, position: received)
                offset += count
                try take(bytes.bytes, range, of: header)
                guard received + count == header.length else {
                    frame = .payload(header, received: received + count)
                    return nil
                }
                frame = .header([])
                if let event = try end(header) { return event }
                if offset == bytes.byteCount { return nil }
            }
        }
    }

    /// Reads a header from the buffer if it is complete there; else gathers it byte by byte.
    private mutating func readHeader(
        _ bytes: RawSpan, from offset: inout Int, _ gathered: [UInt8]
    ) throws(WebSocketError) -> FrameHeader? {
        if gathered.isEmpty, let header = try FrameHeader.read(bytes, at: offset, role: role) {
            offset += header.byteCount
            return header
        }
        var gathered = gathered
        while offset < bytes.byteCount {
            gathered.append(bytes.byte(at: offset))
            offset += 1
            if let header = try FrameHeader.read(gathered.span.bytes, at: 0, role: role) { return header }
        }
        frame = .header(gathered)
        return nil
    }

    /// Checks a frame against the frames before it (RFC 6455 §5.4) and against the limit.
    private mutating func begin(_ header: FrameHeader) throws(WebSocketError) {
        switch header.opcode {
        case .close, .ping, .pong:
            control = []
            return
        case .continuation:
            if message == nil { throw .protocolViolation("nothing is there to continue") }
        case .text, .binary:
            if message != nil { throw .protocolViolation("a message starts inside another") }
            message = Message(isText: header.opcode == .text)
        }
        let room = maximumMessageBytes - (message?.bytes.count ?? 0)
        guard header.length <= room else { throw .messageTooBig(limit: maximumMessageBytes) }
    }

    private mutating func take(
        _ bytes: RawSpan, _ range: Range<Int>, of header: FrameHeader
    ) throws(WebSocketError) {
        if range.isEmpty { return }
        if header.opcode.isControl {
            control.append(bytes.extracting(range))
            return
        }
        // The message is taken out while it grows, so that its bytes are not copied.
        guard var message = message.take() else { return }
        if message.isText {
            guard message.text.take(bytes, range) else { throw .invalidText }
        }
        let needed = message.bytes.count + range.count
        if needed > message.bytes.capacity {
            let doubled = min(2 * message.bytes.capacity, maximumMessageBytes)
            message.bytes.reserveCapacity(max(needed, doubled))
        }
        message.bytes.append(bytes.extracting(range))
        self.message = message
    }

    private mutating func end(_ header: FrameHeader) throws(WebSocketError) -> WebSocketEvent? {
        switch header.opcode {
        case .ping: return .ping(.assembled(control))
        case .pong: return .pong(.assembled(control))
        case .close: return try ClosePayload.read(control)
        case .continuation, .text, .binary:
            guard header.isFinal, let message = message.take() else { return nil }
            if !message.isText { return .binary(.assembled(message.bytes)) }
            guard message.text.isComplete else { throw .invalidText }
            return .text(.assembled(message.bytes))
        }
    }
}
