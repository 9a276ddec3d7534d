import Contract
import HTTPServer
import Rooms
import WebSocket

/// The link between a WebSocket and its peer in a room. Loop only.
final class SocketSession: WebSocketHandler, FrameSink {
    private let connection: WebSocketConnection
    private var peer: RoomPeer?

    init(_ connection: WebSocketConnection) { self.connection = connection }

    /// Enters the room; nil if the device was admitted, or is gone.
    func enter(_ host: RoomHost, _ entry: RoomHost.Entry) -> RoomHost.JoinError? {
        host.admit(entry, device: self) { peer, greeting in
            self.peer = peer
            if connection.accept(self, greeting: greeting) { return true }
            self.peer = nil
            return false
        }
    }

    package func received(_ message: RawSpan, isText: Bool) { peer?.received(message) }

    func closed() {
        peer?.left()
        peer = nil
    }

    func deliver(_ frame: RawSpan) { connection.sendFrame(frame) }

    package func close(_ code: RoomClose, reason: String) {
        peer = nil
        connection.close(CloseCode(rawValue: code.rawValue), reason: reason)
    }
}
