/// An ale that was sent, in the log of its room.
struct Ale {
    /// Nanoseconds: when it was sent, or should have been.
    var sentAt: UInt64
    /// The member's place in its room.
    var sender: Int32
    /// Deliveries that are still due.
    var missing: Int32
}
