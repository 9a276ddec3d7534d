/// A decoder that turns the bytes of a peer into messages (RFC 6455 §5).
///
/// The usual frame is small and arrives whole: it is unmasked in place in the caller's buffer, without an
/// allocation. A partial frame or a fragmented message is put together in an `Assembly`, which exists only
/// while it is needed, so that an idle connection costs this value alone.
package struct MessageDecoder: Sendable {
    private let maximumMessageBytes: Int
    /// The current assembly: an array of none or one.
    private var assembly: [Assembly] = []
    private let role: Role
    /// Whether a close frame or an error has ended the input: nothing more is read.
    package private(set) var isFinished = false

    package init(role: Role, maximumMessageBytes: Int) {
        self.role = role
        self.maximumMessageBytes = maximumMessageBytes
    }

    /// Whether a frame or a fragmented message has begun and is not complete.
    package var isInsideMessage: Bool { !assembly.isEmpty }

    /// The most bytes that the decoder keeps now.
    package var heldBytes: Int { assembly.isEmpty ? 0 : maximumMessageBytes }

    /// Returns the next event in `bytes` from `offset`, and moves `offset` past the bytes read. Returns nil
    /// if all bytes were read; an incomplete frame or message is kept. Ranges in the event are those of
    /// `bytes`. After an error the rest is skipped in silence.
    package mutating func next(
        _ bytes: inout MutableRawSpan, from offset: inout Int
    ) throws(WebSocketError) -> WebSocketEvent? {
        guard !isFinished else {
            offset = bytes.byteCount
            return nil
        }
        do throws(WebSocketError) {
            if assembly.isEmpty {
                if let event = try wholeMessage(&bytes, from: &offset) { return event }
                if offset == bytes.byteCount { return nil }
                assembly = [Assembly(role: role, maximumMessageBytes: maximumMessageBytes)]
            }
            let event = try assembly[0].next(&bytes, from: &offset)
            if assembly[0].isEmpty { assembly = [] }
            if case .close = event { finish() }
            return event
        } catch {
            finish()
            offset = bytes.byteCount
            throw error
        }
    }

    /// Returns a message of one frame that is complete in `bytes`; else nil, and reads nothing.
    private mutating func wholeMessage(
        _ bytes: inout MutableRawSpan, from offset: inout Int
    ) throws(WebSocketError) -> WebSocketEvent? {
        guard let header = try FrameHeader.read(bytes.bytes, at: offset, role: role), header.isFinal,
            bytes.byteCount - offset - header.byteCount >= header.length
        else { return nil }
        if header.opcode == .continuation { throw .protocolViolation("nothing is there to continue") }
        if header.length > maximumMessageBytes && !header.opcode.isControl {
            throw .messageTooBig(limit: maximumMessageBytes)
        }

        let start = offset + header.byteCount
        let range = start..<(start + header.length)
        let isASCII = Masking.unmask(&bytes, range, key: header.key, position: 0)
        offset = range.upperBound
        switch header.opcode {
        case .text:
            if !isASCII {
                var validator = UTF8Validator()
                guard validator.take(bytes.bytes, range), validator.isComplete else { throw .invalidText }
            }
            return .text(.inPlace(range))
        case .binary: return .binary(.inPlace(range))
        case .continuation: throw .protocolViolation("nothing is there to continue")
        case .ping: return .ping(.inPlace(range))
        case .pong: return .pong(.inPlace(range))
        case .close:
            let event = try ClosePayload.read(Payload.inPlace(range).bytes(in: bytes.bytes))
            finish()
            return event
        }
    }

    private mutating func finish() {
        isFinished = true
        assembly = []
    }
}
