import Contract
import HTTPServer
import Rooms
import WebSocket

/// Joins a WebSocket to its visitor: messages in, frames out. Loop only.
final class SocketSession: WebSocketHandler, Device {
    private let connection: WebSocketConnection
    private var visitor: Visitor?

    init(_ connection: WebSocketConnection) { self.connection = connection }

    /// Nil: the device is in, or has gone.
    func enter(_ host: RoomHost, _ entry: RoomHost.Entry) -> RoomHost.Refusal? {
        host.admit(entry, device: self) { visitor, greeting in
            self.visitor = visitor
            if connection.accept(self, greeting: greeting) { return true }
            self.visitor = nil
            return false
        }
    }

    package func received(_ message: RawSpan, isText: Bool) { visitor?.received(message) }

    func closed() {
        visitor?.left()
        visitor = nil
    }

    func deliver(_ frame: RawSpan) { connection.sendFrame(frame) }

    package func close(_ code: RoomClose, reason: String) {
        visitor = nil
        connection.close(CloseCode(rawValue: code.rawValue), reason: reason)
    }
}
