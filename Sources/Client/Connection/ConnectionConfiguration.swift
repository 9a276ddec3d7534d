/// The limits and habits of a `RoomConnection`.
public struct ConnectionConfiguration: Sendable {
    /// For each attempt to connect, up to the room's first message.
    public var timeout = Duration.seconds(30)
    /// How long the sender of a message waits for its acknowledgement.
    public var acknowledgementTimeout = Duration.seconds(10)
    /// A message that is not acknowledged after so long on a link that lives is sent again.
    public var resendInterval = Duration.seconds(5)
    /// How long nothing is sent after the server has dropped a message for its rate.
    public var ratePause = Duration.seconds(1)
    /// Messages that may be on their way at a time: fewer than the server's burst. Those behind one that the
    /// server dropped for its rate may overtake it.
    public var window = 16
    /// Events that wait for one reader; past it the oldest are dropped, and the reader is told how many.
    public var eventBuffer = 1024
    /// Messages that wait to be sent or acknowledged, and what gives way where there are more.
    public var queueLimit = 1000
    public var queueOverflow = OutgoingQueue.OverflowPolicy.refuseNewest
    /// Where the queue is kept on disk; nil: in memory alone.
    public var queuePath: String?
    var disk = Disk()
    /// For everything but the timeout of connecting.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// For waits and ids.
    public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    public init() {}
}
