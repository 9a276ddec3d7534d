/// One device in a room, from its admission until it leaves. Loop only.
package final class RoomPeer {
    let room: LiveRoom
    let member: LiveMember
    let version: SocketVersion
    let host: RoomHost
    /// The socket of the device; nil after the peer has left the room.
    var device: (any FrameSink)?
    var bucket: TokenBucket

    init(
        room: LiveRoom, member: LiveMember, version: SocketVersion, host: RoomHost, device: any FrameSink,
        bucket: TokenBucket
    ) {
        self.room = room
        self.member = member
        self.version = version
        self.host = host
        self.device = device
        self.bucket = bucket
    }

    /// Handles a message from the device.
    package func received(_ message: RawSpan) {
        guard device != nil else { return }
        host.received(message, from: self)
    }

    /// Removes the peer after its connection has ended.
    package func left() { host.left(self) }
}
