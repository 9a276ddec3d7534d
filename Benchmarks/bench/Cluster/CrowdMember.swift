/// The record of one member of a crowd, who has one device. Instants are nanoseconds of the monotonic clock.
struct CrowdMember: Sendable {
    /// The path of its socket, with the ticket.
    let path: String
    /// The epoch of the room's log, and the number of the latest ale in it.
    var position: (epoch: String, number: Int64)?
    /// The instant of the first knock since it was last in its room.
    var knockedAt: UInt64 = 0
    /// The instant at which it was let in; nil when it is not in its room.
    var enteredAt: UInt64?
    /// The instant at which it last lost its room; nil before.
    var lostAt: UInt64?
    /// Whether it missed nothing between its last two entries.
    var isRecovered = false
    /// The number of knocks in vain.
    var refusals = 0

    init(path: String) { self.path = path }

    /// The path of the next knock.
    var target: String {
        guard let position else { return path }
        return "\(path)&epoch=\(position.epoch)&since=\(position.number)"
    }
}
