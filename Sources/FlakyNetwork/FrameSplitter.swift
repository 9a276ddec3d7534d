/// Bytes of one direction of a WebSocket into whole frames, as they are: masked stays masked (RFC 6455 §5.2).
struct FrameSplitter: Sendable {
    enum Piece: Equatable, Sendable {
        /// A message of one frame, and where its payload begins.
        case message([UInt8], payload: Int)
        /// A frame of a fragmented message.
        case fragment([UInt8])
        /// Ping, pong or close.
        case control([UInt8])
        /// A frame that is too long to be held, or what follows it.
        case raw([UInt8])
    }

    /// A longer frame is not put together.
    static let longest = 1024 * 1024

    private var buffer: [UInt8] = []
    private var isLost = false

    mutating func receive(_ bytes: [UInt8]) { buffer += bytes }

    /// The next frame that is complete.
    mutating func next() -> Piece? {
        if isLost { return takeRest() }
        guard buffer.count >= 2 else { return nil }
        let short = Int(buffer[1] & 0x7F)
        let extended = short < 126 ? 0 : short == 126 ? 2 : 8
        let payload = 2 + extended + (buffer[1] & 0x80 != 0 ? 4 : 0)
        guard buffer.count >= payload else { return nil }
        let length =
            extended == 0 ? UInt64(short) : buffer[2..<(2 + extended)].reduce(0) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(Self.longest) else {
            isLost = true
            return takeRest()
        }
        let end = payload + Int(length)
        guard buffer.count >= end else { return nil }
        let frame = Array(buffer[..<end])
        buffer.removeFirst(end)
        let opcode = frame[0] & 0x0F
        if opcode & 0x8 != 0 { return .control(frame) }
        let isWhole = frame[0] & 0x80 != 0 && opcode != 0
        return isWhole ? .message(frame, payload: payload) : .fragment(frame)
    }

    /// What has not made a frame, when no more comes.
    mutating func takeRest() -> Piece? {
        guard !buffer.isEmpty else { return nil }
        defer { buffer = [] }
        return .raw(buffer)
    }
}
