/// One device in a room, from its admission to its leaving. Loop only.
package final class Visitor {
    let room: HostedRoom
    let seat: Seat
    let version: SocketVersion
    let host: RoomHost
    /// Kept as long as the visitor is in the room.
    var device: (any Device)?
    var bucket: TokenBucket

    init(
        room: HostedRoom, seat: Seat, version: SocketVersion, host: RoomHost, device: any Device,
        bucket: TokenBucket
    ) {
        self.room = room
        self.seat = seat
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
