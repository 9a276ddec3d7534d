/// A fault of the peer. Nothing more can be read from it: send a close frame with the code, then close.
package enum WebSocketError: Error, Equatable, Sendable {
    /// The frames break RFC 6455.
    case protocolViolation(String)
    /// A text message or a close reason is not UTF-8.
    case invalidText
    /// A message is longer than the limit.
    case messageTooBig(limit: Int)

    package var closeCode: CloseCode {
        switch self {
        case .protocolViolation: .protocolError
        case .invalidText: .invalidText
        case .messageTooBig: .messageTooBig
        }
    }

    /// A description that is short enough for the reason of a close frame.
    package var detail: String {
        switch self {
        case .protocolViolation(let flaw): flaw
        case .invalidText: "text is not UTF-8"
        case .messageTooBig(let limit): "a message is longer than \(limit) bytes"
        }
    }
}
