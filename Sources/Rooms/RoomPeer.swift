import Contract

/// One device in a room, from when it joins until it leaves. Loop only.
package final class RoomPeer {
    let room: LiveRoom
    let member: LiveMember
    let version: SocketVersion
    let host: RoomHost
    /// Whether the device comes through another server.
    let isRelayed: Bool
    /// The socket of the device; nil after the peer has left the room.
    var device: (any FrameSink)?
    var bucket: TokenBucket
    /// Whether the host lists the peer among those that hold messages.
    var isHeld = false
    /// The number of the token that the device came in under.
    let tokenVersion: Int32

    init(
        room: LiveRoom, member: LiveMember, version: SocketVersion, tokenVersion: Int32, host: RoomHost,
        isRelayed: Bool,
        device: any FrameSink, bucket: TokenBucket
    ) {
        self.room = room
        self.member = member
        self.version = version
        self.tokenVersion = tokenVersion
        self.host = host
        self.isRelayed = isRelayed
        self.device = device
        self.bucket = bucket
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
        case .unknownType(let messageId): host.drop(\.unknownType, .unknownType, messageId, self)
        case .malformed: host.drop(\.malformed, .malformed, nil, self)
        }
    }

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
        if isHeld { host.forgetHeld(self) }
        host.statistics.devices -= 1
        room.remove(self)
        if !member.isPresent && !member.hasLeft { host.presenceChanged(member, in: room) }
    }
}
