/// An encoder of frames. A server does not mask its frames; a client masks each with a fresh, unpredictable
/// key (RFC 6455 §5.3).
package enum FrameEncoder {
    /// The longest payload of a control frame.
    package static let maximumControlBytes = 125

    /// Appends the header of a server's frame; the caller appends the payload.
    package static func header(
        _ opcode: Opcode, payloadLength: Int, isFinal: Bool = true, into bytes: inout [UInt8]
    ) {
        appendHeader(opcode, payloadLength, isFinal: isFinal, maskBit: 0, to: &bytes)
    }

    /// Appends a whole frame of a server.
    package static func frame(
        _ opcode: Opcode, _ payload: RawSpan, isFinal: Bool = true, into bytes: inout [UInt8]
    ) {
        header(opcode, payloadLength: payload.byteCount, isFinal: isFinal, into: &bytes)
        bytes.append(payload)
    }

    package static func frame(
        _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, into bytes: inout [UInt8]
    ) {
        frame(opcode, payload.span.bytes, isFinal: isFinal, into: &bytes)
    }

    /// Appends a whole frame of a client. The key is written with its highest byte first.
    package static func maskedFrame(
        _ opcode: Opcode, _ payload: [UInt8], key: UInt32, isFinal: Bool = true, into bytes: inout [UInt8]
    ) {
        appendHeader(opcode, payload.count, isFinal: isFinal, maskBit: 0x80, to: &bytes)
        appendInteger(UInt64(key), count: 4, to: &bytes)
        for (index, byte) in payload.enumerated() {
            bytes.append(byte ^ UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * (index & 3))))
        }
    }

    /// Appends a server's close frame, empty if there is no code. A long reason is cut between two
    /// characters.
    package static func close(_ code: CloseCode?, reason: String = "", into bytes: inout [UInt8]) {
        frame(.close, closePayload(code, reason), into: &bytes)
    }

    /// Appends a client's close frame.
    package static func maskedClose(
        _ code: CloseCode?, reason: String = "", key: UInt32, into bytes: inout [UInt8]
    ) {
        maskedFrame(.close, closePayload(code, reason), key: key, into: &bytes)
    }

    private static func closePayload(_ code: CloseCode?, _ reason: String) -> [UInt8] {
        guard let code else { return [] }
        var payload: [UInt8] = []
        appendInteger(UInt64(code.rawValue), count: 2, to: &payload)
        for scalar in reason.unicodeScalars {
            let text = UTF8.encode(scalar).map(Array.init) ?? []
            guard payload.count + text.count <= maximumControlBytes else { break }
            payload += text
        }
        return payload
    }

    private static func appendHeader(
        _ opcode: Opcode, _ length: Int, isFinal: Bool, maskBit: UInt8, to bytes: inout [UInt8]
    ) {
        precondition(!opcode.isControl || (length <= maximumControlBytes && isFinal), "RFC 6455 §5.5")
        bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        switch length {
        case ...125:
            bytes.append(maskBit | UInt8(length))
        case ...65_535:
            bytes.append(maskBit | 126)
            appendInteger(UInt64(length), count: 2, to: &bytes)
        default:
            bytes.append(maskBit | 127)
            appendInteger(UInt64(length), count: 8, to: &bytes)
        }
    }

    /// Appends an integer in network order.
    private static func appendInteger(_ value: UInt64, count: Int, to bytes: inout [UInt8]) {
        for index in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
        }
    }
}
