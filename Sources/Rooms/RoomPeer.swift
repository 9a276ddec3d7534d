import Codecs
import Contract

/// One device in a room, from when it joins until it leaves. Loop only.
package final class RoomPeer {
    let room: LiveRoom
    let member: LiveMember
    let version: SocketVersion
    /// The form in which the device is sent ales; on the path of every ale.
    let aleForm: AleForm
    let host: RoomHost
    /// Whether the device comes through another server.
    let isRelayed: Bool
    /// The socket of the device; nil after the peer has left the room.
    var device: (any FrameSink)?
    /// The ales that the device has sent of late.
    var meter = ResettableRateMeter()
    /// Whether the host lists the peer among those that hold messages.
    var isHeld = false
    /// The number of the token that the device came in under.
    let tokenVersion: Int32
    /// The ales that wait for the device, if it is sent them `merged`.
    private var waiting = WaitingAles()

    enum AleForm {
        /// The constant frame of version 1.
        case constant
        /// A frame of version 2 for each ale.
        case single
        /// The same, but those of one sender that wait for a slow reader become one.
        case merged
    }

    init(
        room: LiveRoom, member: LiveMember, _ entry: RoomHost.Entry, host: RoomHost, device: any FrameSink
    ) {
        self.room = room
        self.member = member
        version = entry.version
        tokenVersion = entry.tokenVersion
        isRelayed = entry.isRelayed
        switch entry.version {
        case .one: aleForm = .constant
        case .two: aleForm = entry.options.mergesAles ? .merged : .single
        }
        self.host = host
        self.device = device
    }

    /// Handles a message from the device, text or binary alike.
    package func received(_ message: RawSpan, isText: Bool) {
        guard device != nil else { return }
        switch ClientMessage.read(message, room: room.text) {
        case .ale(let messageId, let namesRoom):
            // Version 1 always names the room.
            if version == .one && !namesRoom { return host.drop(\.wrongRoom, .wrongRoom, messageId, self) }
            host.cheer(self, messageId)
        case .wrongRoom(let messageId): host.drop(\.wrongRoom, .wrongRoom, messageId, self)
        case .status(let status, let messageId):
            // Version 1 has no such message.
            if version == .one { return host.drop(\.unknownType, .unknownType, messageId, self) }
            host.declare(status, messageId, self)
        case .ping(let messageId):
            if version == .one { return host.drop(\.unknownType, .unknownType, messageId, self) }
            let pong = host.encode { $0 += ServerMessage.pong }
            deliver(pong.span.bytes)
        case .unknownType(let messageId): host.drop(\.unknownType, .unknownType, messageId, self)
        case .malformed: host.drop(\.malformed, .malformed, nil, self)
        }
    }

    /// Sends the device a frame that is no ale of others. Ales that wait go first, so that the order of what
    /// the device is sent is that of the room.
    func deliver(_ frame: RawSpan) {
        sendWaiting()
        device?.deliver(frame)
    }

    /// Keeps an ale for later if bytes wait for the device's reader; returns false if it is to be sent now.
    func keepsBack(_ number: Int64, from sender: LiveMember, at now: Timestamp) -> Bool {
        guard let device, device.isBehind else { return false }
        if waiting.isEmpty { device.tellWhenDrained() }
        waiting.add(from: sender, number, at: now)
        return true
    }

    /// Sends the ales that wait, merged.
    func sendWaiting() {
        if waiting.isEmpty { return }
        for ale in waiting.take() {
            let frame = host.encode { ServerMessage.aleResponse(ale).append(to: &$0) }
            device?.deliver(frame.span.bytes)
        }
    }

    /// Sends the ales that waited, since nothing waits for the device's reader any more.
    package func drained() { sendWaiting() }

    /// Whether the device keeps back what it reads, until `RoomHost.resume` asks it to go on.
    package var holdsMessages: Bool {
        if host.mayAnswer && room.flow == .open { return false }
        if device != nil && !isHeld {
            isHeld = true
            host.held.append(self)
        }
        return true
    }

    /// The wait that a device is told which comes through another server, when that server has ended its half
    /// of the connection without a close frame: it stops, and many devices come back at the same time.
    package var returnHint: Duration? {
        guard isRelayed else { return nil }
        var random = SystemRandomNumberGenerator()
        return ReturnSpread(sockets: host.statistics.devices).hint(using: &random)
    }

    /// Leaves the room, after the connection has ended.
    package func closed() {
        guard device != nil else { return }
        device = nil
        waiting.forget()
        if isHeld { host.forgetHeld(self) }
        host.statistics.devices -= 1
        room.remove(self)
        if !member.isPresent && !member.hasLeft { host.presenceChanged(member, in: room) }
    }
}
