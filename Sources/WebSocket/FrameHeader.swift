/// The first 2 to 14 bytes of a frame (RFC 6455 §5.2).
///
///     | FIN RSV×3 opcode×4 | MASK length×7 | length 0, 2 or 8 bytes | masking key 0 or 4 bytes |
struct FrameHeader: Sendable {
    var opcode: Opcode
    var isFinal: Bool
    var length: Int
    /// The masking key with its first byte in the low bits; 0 for a frame that is not masked.
    var key: UInt32
    /// The length of this header in bytes.
    var byteCount: Int

    /// Returns the header at `offset`; nil if more bytes must arrive.
    static func read(
        _ bytes: RawSpan, at offset: Int, role: Role
    ) throws(WebSocketError) -> FrameHeader? {
        let available = bytes.byteCount - offset
        guard available >= 1 else { return nil }
        let first = bytes.byte(at: offset)
        guard first & 0x70 == 0 else { throw .protocolViolation("a reserved bit is set") }
        guard let opcode = Opcode(rawValue: first & 0x0F) else {
            throw .protocolViolation("the opcode is reserved")
        }
        let isFinal = first & 0x80 != 0
        if opcode.isControl && !isFinal { throw .protocolViolation("a control frame is fragmented") }

        guard available >= 2 else { return nil }
        let second = bytes.byte(at: offset + 1)
        let isMasked = second & 0x80 != 0
        switch role {
        case .server: if !isMasked { throw .protocolViolation("a client's frame is not masked") }
        case .client: if isMasked { throw .protocolViolation("a server's frame is masked") }
        }
        let short = Int(second & 0x7F)
        if opcode.isControl && short > 125 { throw .protocolViolation("a control frame is over 125 bytes") }

        let extended = short < 126 ? 0 : short == 126 ? 2 : 8
        guard available >= 2 + extended else { return nil }
        let length = extended == 0 ? short : try extendedLength(bytes, at: offset + 2, count: extended)

        let keyOffset = 2 + extended
        let byteCount = keyOffset + (isMasked ? 4 : 0)
        guard available >= byteCount else { return nil }
        let key = isMasked ? UInt32(bytes.integer(at: offset + keyOffset, count: 4)).byteSwapped : 0
        return FrameHeader(opcode: opcode, isFinal: isFinal, length: length, key: key, byteCount: byteCount)
    }

    private static func extendedLength(
        _ bytes: RawSpan, at offset: Int, count: Int
    ) throws(WebSocketError) -> Int {
        let value = bytes.integer(at: offset, count: count)
        guard value >> 63 == 0 else { throw .protocolViolation("a length has its highest bit set") }
        guard value > (count == 2 ? 125 : 65_535) else {
            throw .protocolViolation("a length is not in its shortest form")
        }
        return Int(value)
    }
}
