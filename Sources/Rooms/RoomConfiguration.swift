package import Contract

/// What a host is told once.
package struct RoomConfiguration: Sendable {
    /// Ales a second from one connection, with a burst of twice as many; 0 is no limit. Those above are
    /// dropped.
    package var alesPerSecond = 20
    package var pingSeconds = 20
    /// Devices of one member at once: the next is refused.
    package var maximumDevices = 8
    /// What a room remembers for those who come back.
    package var log = RoomLogLayout()
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// A ready address with a ticket, for who is moved: room, user, token version, end of the room.
    package var socketURL: @Sendable (Identifier, Identifier, Int32, Timestamp) -> String
    /// Appends a payload as one frame of the version's kind: the host knows messages, and not their framing.
    package var frame: @Sendable (SocketVersion, [UInt8], inout [UInt8]) -> Void

    package init(
        now: @escaping @Sendable () -> Timestamp,
        socketURL: @escaping @Sendable (Identifier, Identifier, Int32, Timestamp) -> String,
        frame: @escaping @Sendable (SocketVersion, [UInt8], inout [UInt8]) -> Void
    ) {
        self.now = now
        self.socketURL = socketURL
        self.frame = frame
    }
}
