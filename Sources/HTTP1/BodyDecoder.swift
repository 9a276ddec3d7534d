/// A decoder that takes a body out of the bytes of a connection, by its framing and within its limit.
struct BodyDecoder: Sendable {
    enum Event {
        case bytes([UInt8])
        case end
    }

    private enum State {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
        case untilClose
    }

    private var state: State
    private var received = 0

    init(_ framing: BodyFraming) {
        switch framing {
        case .none: state = .length(remaining: 0)
        case .length(let length): state = .length(remaining: length)
        case .chunked: state = .chunked(ChunkedDecoder())
        case .untilClose: state = .untilClose
        }
    }

    /// Whether the end of the connection is the end of this body.
    var endsWithConnection: Bool {
        switch state {
        case .untilClose: true
        case .length, .chunked: false
        }
    }

    /// Returns the next part of the body; nil if more bytes must arrive.
    mutating func next(
        from buffer: inout InputBuffer, bodyLimit: Int, limits: HTTPLimits
    ) throws(HTTPError) -> Event? {
        // A caller may lower the limit during the body.
        let room = max(0, bodyLimit - received)
        let bytes: [UInt8]
        switch state {
        case .length(let remaining):
            guard remaining <= room else { throw .bodyTooLarge(limit: bodyLimit) }
            if remaining == 0 { return .end }
            bytes = buffer.take(upTo: remaining)
            state = .length(remaining: remaining - bytes.count)
        case .chunked(var decoder):
            let part = try decoder.next(from: &buffer, room: room, bodyLimit: bodyLimit, limits: limits)
            state = .chunked(decoder)
            switch part {
            case .end: return .end
            case .bytes(let part): bytes = part
            case nil: return nil
            }
        case .untilClose:
            guard buffer.count <= room else { throw .bodyTooLarge(limit: bodyLimit) }
            bytes = buffer.take(upTo: buffer.count)
        }
        if bytes.isEmpty { return nil }
        received += bytes.count
        return .bytes(bytes)
    }
}
