import Codecs
package import Contract

/// The configuration of a room host.
package struct RoomConfiguration: Sendable {
    /// The number of ales per second from one connection, with a burst of twice as many; 0 for no limit. Ales
    /// above it are dropped.
    package var alesPerSecond = 20
    package var pingSeconds = 20
    /// The most devices of one member at once; the next is refused.
    package var maximumDevices = 8
    /// The size of the log that a room keeps for devices that come back.
    package var log = RoomLogLayout()
    package var now: CurrentTime
    /// Returns the address of a socket, with a ticket, for a member who is moved: room, user, token version,
    /// end of the room.
    package var socketURL: @Sendable (Identifier, Identifier, Int32, Timestamp) -> String
    /// Appends a payload as one frame of the version's kind: the host does not know the framing.
    package var frame: @Sendable (SocketVersion, [UInt8], inout [UInt8]) -> Void

    /// The process that the rooms belong to; nil if rooms have no owners.
    package var incarnation: Identifier?
    /// Whether ales may be answered now. While they may not, devices keep back what they read.
    package var mayAnswer: @Sendable () -> Bool = { true }
    /// Returns the time after which a device of version 1 comes back from a room that has another owner.
    package var retryAfter: @Sendable () -> Duration = {
        .milliseconds(Int64.random(in: RoomConfiguration.retryMilliseconds))
    }

    /// The range of the default delays: long enough to spread the devices of the rooms that change together.
    private static let retryMilliseconds: ClosedRange<Int64> = 200...2_000

    /// The limit of the ales of one connection; nil for none.
    var aleRate: Rate? {
        if alesPerSecond == 0 { return nil }
        return Rate(alesPerSecond, perNanoseconds: 1_000_000_000, burst: 2 * alesPerSecond)
    }

    package init(
        now: @escaping CurrentTime,
        socketURL: @escaping @Sendable (Identifier, Identifier, Int32, Timestamp) -> String,
        frame: @escaping @Sendable (SocketVersion, [UInt8], inout [UInt8]) -> Void
    ) {
        self.now = now
        self.socketURL = socketURL
        self.frame = frame
    }
}
