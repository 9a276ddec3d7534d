import Contract

/// A room that is open, on the loop that owns it.
final class HostedRoom {
    // What every ale touches comes first, so that it lies together.
    let text: UUIDText
    var log: AleLog
    /// The devices of all members in one row: who may hear an ale.
    private(set) var visitors: [Visitor] = []
    /// Since counts were taken last; what is stored already is in `storedAles`.
    var countedAles: Int64 = 0
    var isCounted = false
    /// Whether a device was ever in it here: then presence is known here, and not in the database.
    var wasVisited = false
    var revision: Int32
    let opensAt: Timestamp
    let startsAt: Timestamp
    let closesAt: Timestamp
    /// Names this run of the room: a log does not outlive its process, so neither do positions in it.
    let epoch: String
    /// Those who belong here.
    var seats: [Seat] = []
    /// Those who left, until what they sent and heard has been counted.
    var departed: [Seat] = []
    /// The registrations behind the indices of past and present seats, each once.
    var senders: [UUID] = []
    var storedAles: Int64

    init(_ roster: Roster, epoch: String, logCapacity: Int) {
        text = UUIDText(roster.room)
        revision = roster.revision
        opensAt = roster.opensAt
        startsAt = roster.startsAt
        closesAt = roster.closesAt
        storedAles = roster.ales
        self.epoch = epoch
        log = AleLog(capacity: logCapacity, origin: roster.opensAt)
        for member in roster.members { addSeat(member) }
    }

    func addSeat(_ member: Roster.Member) {
        // Who comes back is the sender of what it sent before.
        let index = senders.firstIndex(of: member.id) ?? senders.count
        if index == senders.count { senders.append(member.id) }
        seats.append(Seat(member, index: Int32(truncatingIfNeeded: index)))
    }

    func add(_ visitor: Visitor) {
        visitor.seat.settle(at: log.last)
        visitor.seat.visitors.append(visitor)
        visitors.append(visitor)
    }

    func remove(_ visitor: Visitor) {
        visitor.seat.settle(at: log.last)
        visitor.seat.visitors.removeAll { $0 === visitor }
        visitors.removeAll { $0 === visitor }
    }

    var id: UUID { text.id }

    func seat(of user: UUID) -> Seat? { seats.first { $0.member.user == user } }

    func members(seenBy viewer: Seat?) -> [Member] { seats.map { $0.seen(by: viewer) } }
}
