public import Contract

/// The limits and options of a `RoomConnection`.
public struct ConnectionConfiguration: Sendable {
    /// The timeout of each attempt to connect, up to the room's first message.
    public var timeout = Duration.seconds(30)
    /// The options of the room's socket: merged ales, and the interval of the server's pings. With a
    /// `RoomAddress.ticket` its URL must not have them already.
    public var socket = SocketOptions()
    /// The longest wait of a sender for the acknowledgement of its message.
    public var acknowledgementTimeout = Duration.seconds(10)
    /// The time without an acknowledgement after which a message is sent again on a live link.
    public var resendInterval = Duration.seconds(5)
    /// The pause in sending after the server has dropped a message for its rate.
    public var ratePause = Duration.seconds(1)
    /// The most messages in flight: fewer than the server's burst. Messages behind one that the server
    /// dropped for its rate may overtake it.
    public var window = 16
    /// The most events that wait for one reader; past it the oldest are dropped, and the reader is told how
    /// many.
    public var eventBuffer = 1024
    /// The most messages that wait to be sent or acknowledged; past it `queueOverflow` applies.
    public var queueLimit = 1000
    /// The rule for a message that finds the queue full: it is refused, or the oldest one is dropped.
    public var queueOverflow = OutgoingQueue.OverflowPolicy.refuseNewest
    /// The path of the queue's file; nil for a queue in memory only.
    public var queuePath: String?
    var disk = Disk()
    /// The clock for everything but the timeout of connecting.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The random numbers for waits and ids.
    public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Makes the default configuration.
    public init() {}
}
