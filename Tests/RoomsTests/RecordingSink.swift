import Contract
import Rooms

/// A device that records its frames, and reads them back.
final class RecordingSink: FrameSink {
    let version: SocketVersion
    private(set) var frames: [[UInt8]] = []
    private(set) var closed: RoomClose?
    private(set) var reason: String?
    var peer: RoomPeer?
    var isOpen = true
    var hasMissedPing = false

    init(_ version: SocketVersion = .two) { self.version = version }

    /// The number of times that the device was asked to go on.
    var resumed = 0

    func resume() { resumed += 1 }

    /// Whether bytes wait for the device's reader, as the test says.
    var isBehind = false
    /// Whether the peer wants to be told when none wait any more.
    private(set) var tellsWhenDrained = false

    func tellWhenDrained() { tellsWhenDrained = true }

    /// Has the reader catch up.
    func drain() {
        isBehind = false
        guard tellsWhenDrained else { return }
        tellsWhenDrained = false
        peer?.drained()
    }

    func deliver(_ frame: RawSpan) { frames.append(Self.copy(frame)) }

    func close(_ code: RoomClose, reason: String) {
        closed = code
        self.reason = reason
        peer = nil
    }

    func accept(_ peer: RoomPeer, greeting: [UInt8]) {
        frames.append(greeting)
        self.peer = peer
    }

    func say(_ text: String) { peer?.received(Array(text.utf8).span.bytes, isText: true) }

    func cheer(in room: Identifier, messageId: String? = nil) {
        var bytes: [UInt8] = []
        ClientMessage.appendAle(room: room, messageId: messageId, to: &bytes)
        peer?.received(bytes.span.bytes, isText: true)
    }

    func leave() {
        peer?.closed()
        peer = nil
    }

    /// Returns the messages since the last time. A frame is the payload and a line's end.
    func takeMessages() -> [ServerMessage] {
        defer { frames = [] }
        return frames.flatMap { frame in
            frame.split(separator: 0x0a).compactMap { ServerMessage.read(Array($0).span.bytes) }
        }
    }

    private static func copy(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}

/// A journal that records the reports of a host.
final class RecordingJournal: RoomJournal {
    var entered: [Identifier] = []
    var presence: [(registration: Identifier, present: Bool)] = []
    /// The terms of the reports of presence.
    var terms: [Int32?] = []

    func entered(room: Identifier, registration: Identifier, at: Timestamp) { entered.append(registration) }

    func presenceChanged(room: Identifier, registration: Identifier, term: Int32?, present: Bool) {
        terms.append(term)
        presence.append((registration, present))
    }
}
