import HTTPServer
import WebSocket

/// Sends back each message that it receives.
final class Echo: WebSocketHandler {
    /// The connection and this handler retain each other until one of them is told of the end.
    private var connection: WebSocketConnection?

    init(_ connection: WebSocketConnection) { self.connection = connection }

    func received(_ message: RawSpan, isText: Bool) { connection?.send(isText ? .text : .binary, message) }

    func closed() { connection = nil }
}
