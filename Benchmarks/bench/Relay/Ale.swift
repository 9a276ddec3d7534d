/// An ale that was sent, in the log of its room.
struct Ale {
    /// The instant at which it was sent, or should have been, in nanoseconds.
    var sentAt: UInt64
    /// The member's index in its room.
    var sender: Int32
    /// The number of deliveries that are still due.
    var missing: Int32
}
