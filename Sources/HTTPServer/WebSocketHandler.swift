/// Whoever a WebSocket's messages are for. Loop only.
package protocol WebSocketHandler: AnyObject {
    /// A whole message; the bytes are gone when the call returns.
    func received(_ message: RawSpan)
    /// The connection has ended, and not because the handler closed it. Called once.
    func closed()
}
