/// One connection of the generator: its phase, and its bytes in flight.
struct Member {
    enum Phase: UInt8 {
        /// The connection is not open yet.
        case absent
        /// The handshake request was sent, or waits until it can be.
        case asking
        /// The connection is upgraded; the server's first message has not arrived.
        case greeting
        case ready
        /// The connection was refused, or broke.
        case gone
    }

    var descriptor: CInt = -1
    var phase = Phase.absent
    /// Whether the socket is watched for becoming writable.
    var isBlocked = false
    /// Whether a ping arrived whose pong has to wait for the end of a frame.
    var owesPong = false
    /// Whether the member has sent the ale of a probe.
    var hasProbed = false
    /// Whether the ale of the current probe, or of the previous one, has arrived.
    var wasProbed = false
    /// The number of frames to send; all are the same.
    var queued: Int32 = 0
    /// The bytes of the first queued frame that were sent.
    var sentBytes: Int32 = 0
    /// The length of a message's beginning whose end has not arrived.
    var restBytes: Int32 = 0
    var rest: UnsafeMutableRawPointer?
    /// The number of the last ale that arrived (version 2).
    var lastNumber: Int64 = 0
}
