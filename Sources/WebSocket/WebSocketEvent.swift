/// What the peer said.
package enum WebSocketEvent: Sendable, Equatable {
    /// A whole message of valid UTF-8.
    case text(Payload)
    case binary(Payload)
    case ping(Payload)
    case pong(Payload)
    /// The last event of a connection. No code: the frame was empty.
    case close(CloseCode?, reason: String)
}
