import WebSocket

/// The client's end of a WebSocket as a value: it takes bytes, and gives messages and bytes to send.
struct WebSocketLink: Sendable {
    enum Event: Hashable, Sendable {
        case message([UInt8])
        /// The answer to the ping of that number.
        case pong(UInt64)
        /// The last event. Code 1005: the close frame had no code.
        case closed(code: UInt16, reason: String)
    }

    /// The most bytes of one message from the server.
    private static let maximumMessageBytes = 1024 * 1024

    private var decoder = MessageDecoder(role: .client, maximumMessageBytes: maximumMessageBytes)
    private var closing = CloseHandshake()
    private var output: [UInt8] = []
    private var generator = SystemRandomNumberGenerator()

    /// Returns the bytes to send, and forgets them.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    mutating func send(text: [UInt8]) {
        if closing.isOpen { FrameEncoder.maskedFrame(.text, text, key: generator.next(), into: &output) }
    }

    mutating func ping(_ number: UInt64) {
        guard closing.isOpen else { return }
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        FrameEncoder.maskedFrame(.ping, payload, key: generator.next(), into: &output)
    }

    mutating func close(_ code: CloseCode) {
        if case .send(let code) = closing.closeWanted(code) { writeClose(code, "") }
    }

    mutating func receive(_ bytes: [UInt8]) -> [Event] {
        var bytes = bytes
        var events: [Event] = []
        var span = bytes.mutableSpan
        var raw = span.mutableBytes
        var offset = 0
        do throws(WebSocketError) {
            while let event = try decoder.next(&raw, from: &offset) {
                handle(event, raw.bytes, &events)
            }
        } catch {
            if case .send = closing.closeWanted(error.closeCode) { writeClose(error.closeCode, error.detail) }
            events.append(.closed(code: error.closeCode.rawValue, reason: error.detail))
        }
        return events
    }

    private mutating func handle(_ event: WebSocketEvent, _ buffer: RawSpan, _ events: inout [Event]) {
        switch event {
        case .text(let payload), .binary(let payload):
            events.append(.message(payload.bytes(in: buffer)))
        case .ping(let payload):
            guard closing.isOpen else { return }
            FrameEncoder.maskedFrame(
                .pong, payload.bytes(in: buffer), key: generator.next(), into: &output)
        case .pong(let payload):
            let bytes = payload.bytes(in: buffer)
            guard bytes.count == 8 else { return }
            events.append(.pong(bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case .close(let code, let reason):
            if case .send(let echo) = closing.closeReceived(code) { writeClose(echo, "") }
            events.append(.closed(code: (code ?? .noStatus).rawValue, reason: reason))
        }
    }

    private mutating func writeClose(_ code: CloseCode?, _ reason: String) {
        FrameEncoder.maskedClose(code, reason: reason, key: generator.next(), into: &output)
    }
}
