/// Splits the bytes of one direction of a connection into whole messages, unchanged: frames of a WebSocket,
/// of which masked ones stay masked (RFC 6455 §5.2), or records of TLS, whose content cannot be read (RFC
/// 8446 §5.1).
struct FrameSplitter: Sendable {
    enum Piece: Equatable, Sendable {
        /// A message of one frame, or a record; `payload` is the index at which its payload begins.
        case message([UInt8], payload: Int)
        /// A frame of a fragmented message.
        case fragment([UInt8])
        /// Ping, pong or close.
        case control([UInt8])
        /// Bytes of a frame that is too long to be held, or bytes after it.
        case raw([UInt8])
    }

    /// The length of the longest payload of a frame that is put together, in bytes.
    static let longest = 1024 * 1024

    private static let recordHeaderBytes = 5

    /// Whether the bytes are records of TLS.
    private let isSecure: Bool
    private var buffer: [UInt8] = []
    private var isLost = false

    init(isSecure: Bool = false) { self.isSecure = isSecure }

    mutating func receive(_ bytes: [UInt8]) { buffer += bytes }

    /// Returns the next complete frame, or the bytes of one that is too long; nil: there is none yet.
    mutating func next() -> Piece? {
        if isSecure { return nextRecord() }
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

    /// Returns the next complete record. Its length has two bytes, which bounds the buffer.
    private mutating func nextRecord() -> Piece? {
        guard buffer.count >= Self.recordHeaderBytes else { return nil }
        let length = Self.recordHeaderBytes + (Int(buffer[3]) << 8 | Int(buffer[4]))
        guard buffer.count >= length else { return nil }
        defer { buffer.removeFirst(length) }
        return .message(Array(buffer[..<length]), payload: Self.recordHeaderBytes)
    }

    /// Returns the bytes that have not made a message, when no more come.
    mutating func takeRest() -> Piece? {
        guard !buffer.isEmpty else { return nil }
        defer { buffer = [] }
        return .raw(buffer)
    }
}
