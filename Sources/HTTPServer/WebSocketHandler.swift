/// A receiver of a WebSocket's messages. Loop only.
package protocol WebSocketHandler: AnyObject {
    /// Whether nothing is processed for now: neither messages nor pings. It is asked once for each read of
    /// the socket; after a yes the connection reads no further until `WebSocketConnection.resume`.
    var holdsMessages: Bool { get }
    /// The close frame for a peer that has ended its half of the connection without one, and reads on; nil if
    /// it gets none.
    var closeAtEnd: SocketClose? { get }
    /// Handles a whole message, text or binary; the bytes are valid only during the call.
    func received(_ message: RawSpan, isText: Bool)
    /// Called when nothing waits for the reader any more, after `WebSocketConnection.tellWhenDrained`.
    func drained()
    /// Called once when the connection has ended, unless the handler closed it.
    func closed()
}

extension WebSocketHandler {
    package var holdsMessages: Bool { false }
    package var closeAtEnd: SocketClose? { nil }
    package func drained() {}
}
