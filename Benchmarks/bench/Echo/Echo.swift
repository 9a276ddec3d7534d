import HTTPServer
import WebSocket

/// Says what it hears.
final class Echo: WebSocketHandler {
    /// The connection and this keep each other until one of them hears of the end.
    private var connection: WebSocketConnection?

    init(_ connection: WebSocketConnection) { self.connection = connection }

    func received(_ message: RawSpan, isText: Bool) { connection?.send(isText ? .text : .binary, message) }

    func closed() { connection = nil }
}
