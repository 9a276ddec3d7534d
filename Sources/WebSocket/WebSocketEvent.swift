/// An event that the peer has sent.
package enum WebSocketEvent: Sendable, Equatable {
    /// A whole message of valid UTF-8.
    case text(Payload)
    case binary(Payload)
    case ping(Payload)
    case pong(Payload)
    /// The last event of a connection. The code is nil if the frame was empty.
    case close(CloseCode?, reason: String)
}
