/// A receiver of a WebSocket's messages. Loop only.
package protocol WebSocketHandler: AnyObject {
    /// Handles a whole message, text or binary; the bytes are valid only during the call.
    func received(_ message: RawSpan, isText: Bool)
    /// Called once when the connection has ended, unless the handler closed it.
    func closed()
}
