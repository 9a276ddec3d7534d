/// The body of a close frame (RFC 6455 §5.5.1): empty, or a code and a reason.
enum ClosePayload {
    static func read(_ payload: [UInt8]) throws(WebSocketError) -> WebSocketEvent {
        if payload.isEmpty { return .close(nil, reason: "") }
        guard payload.count >= 2 else { throw .protocolViolation("a close code is one byte long") }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.mayBeSent else { throw .protocolViolation("a close code may not be sent") }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .invalidText }
        return .close(code, reason: reason)
    }
}
