import Contract
import Rooms

/// A device that keeps what it is told, and reads it back.
final class RecordingDevice: Device {
    let version: SocketVersion
    private(set) var frames: [[UInt8]] = []
    private(set) var closed: RoomClose?
    private(set) var reason: String?
    var visitor: Visitor?

    init(_ version: SocketVersion = .two) { self.version = version }

    func deliver(_ frame: RawSpan) { frames.append(Self.copy(frame)) }

    func close(_ code: RoomClose, reason: String) {
        closed = code
        self.reason = reason
        visitor = nil
    }

    /// What `RoomHost.admit` is given: takes the greeting, and stays.
    func greet(_ visitor: Visitor, _ greeting: RawSpan) -> Bool {
        frames.append(Self.copy(greeting))
        self.visitor = visitor
        return true
    }

    func say(_ text: String) { visitor?.received(Array(text.utf8).span.bytes) }

    func cheer(in room: UUID, messageId: String? = nil) {
        var bytes: [UInt8] = []
        ClientMessage.appendAle(room: room, messageId: messageId, to: &bytes)
        visitor?.received(bytes.span.bytes)
    }

    func leave() {
        visitor?.left()
        visitor = nil
    }

    /// What it was told since the last time. A frame is the payload and a line's end.
    func takeMessages() -> [ServerMessage] {
        defer { frames = [] }
        return frames.flatMap { frame in
            frame.split(separator: 0x0a).compactMap { ServerMessage.read(Array($0).span.bytes) }
        }
    }

    private static func copy(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}

/// Keeps what a host reports.
final class RecordingJournal: RoomJournal {
    var entered: [UUID] = []
    var presence: [(registration: UUID, present: Bool)] = []

    func entered(room: UUID, registration: UUID, at: Timestamp) { entered.append(registration) }

    func presenceChanged(room: UUID, registration: UUID, present: Bool) {
        presence.append((registration, present))
    }
}
