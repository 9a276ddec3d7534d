/// One device in a room, from its admission to its leaving. Loop only.
package final class RoomPeer {
    let room: LiveRoom
    let member: LiveMember
    let version: SocketVersion
    let host: RoomHost
    /// Kept as long as the peer is in the room.
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

    /// A message came in.
    package func received(_ message: RawSpan) {
        guard device != nil else { return }
        host.received(message, from: self)
    }

    /// The connection has ended.
    package func left() { host.left(self) }
}
