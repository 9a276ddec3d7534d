/// Whoever a WebSocket's messages are for. Loop only.
package protocol WebSocketHandler: AnyObject {
    /// A whole message, text or binary; the bytes are gone when the call returns.
    func received(_ message: RawSpan, isText: Bool)
    /// The connection has ended, and not because the handler closed it. Called once.
    func closed()
}
