/// One connection of the generator: where it stands, and what of its bytes is under way.
struct Member {
    enum Phase: UInt8 {
        /// Not connected yet.
        case absent
        /// The request has left, or is waiting until it can.
        case asking
        /// Upgraded; the server's first message has not come.
        case greeting
        case ready
        /// Refused, or broken.
        case gone
    }

    var descriptor: CInt = -1
    var phase = Phase.absent
    /// It is watched for being writable.
    var isBlocked = false
    /// A ping came, and its answer has to wait for the end of a frame.
    var owesPong = false
    /// It has sent the ale of a probe.
    var hasProbed = false
    /// The ale of the probe under way, or the one before, has arrived.
    var wasProbed = false
    /// Frames that are to be sent; all are the same.
    var queued: Int32 = 0
    /// Bytes of the first of them that have left.
    var sentBytes: Int32 = 0
    /// The beginning of a message whose end has not arrived.
    var restBytes: Int32 = 0
    var rest: UnsafeMutableRawPointer?
    /// The number of the last ale that arrived, in version 2.
    var lastNumber: Int64 = 0
}
