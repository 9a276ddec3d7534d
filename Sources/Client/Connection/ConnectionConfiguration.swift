public import Contract

/// The limits and options of a `RoomConnection`.
public struct ConnectionConfiguration: Sendable {
    /// The timeout of each attempt to connect, up to the room's first message.
    public var timeout = Duration.seconds(30)
    /// The options of the room's socket: merged ales, and the interval of the server's pings. The URL of a
    /// `RoomAddress.ticket` must not have them.
    public var socket = SocketOptions()
    /// The longest wait of `send` for an acknowledgement.
    public var acknowledgementTimeout = Duration.seconds(10)
    /// The time without an acknowledgement after which a message is sent again on a live link.
    public var resendInterval = Duration.seconds(5)
    /// The pause in sending after the server has dropped a message for its rate.
    public var ratePause = Duration.seconds(1)
    /// The most messages in flight, which should be below the burst of the server, by default 40. If the
    /// server drops a message for its rate, later ones can overtake it.
    public var window = 16
    /// The most events that wait for one reader. Beyond it the oldest are dropped, and the reader gets
    /// `RoomEvent.missed`.
    public var eventBuffer = 1024
    /// The most messages that wait to be sent or acknowledged. Beyond it `queueOverflow` applies.
    public var queueLimit = 1000
    /// The rule for a message that finds the queue full: it is refused, or the oldest one is dropped.
    public var queueOverflow = OutgoingQueue.OverflowPolicy.refuseNewest
    /// The path of the queue's file; nil for a queue in memory only.
    public var queuePath: String?
    var disk = Disk()
    /// The clock of all waits except `timeout`.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The random numbers for waits and ids.
    public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Makes the default configuration.
    public init() {}
}
