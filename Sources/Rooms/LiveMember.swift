import Contract

/// One member's place in a room.
final class LiveMember {
    // What every ale touches comes first, so that it lies together.
    /// Index among the room's members, past ones included; the log names senders by it.
    let index: Int32
    /// Since counts were taken last.
    private var sent: Int64 = 0
    /// The same, as of the last `settle`.
    private var received: Int64 = 0
    /// The room's latest ale then, and how many since were the member's own.
    private var settledAt: Int64 = 0
    private var ownSinceThen: Int64 = 0
    /// The member's devices, kept by the room.
    var peers: [RoomPeer] = []
    var details: Membership.Member
    var hasEntered: Bool
    var hasLeft = false

    init(_ details: Membership.Member, index: Int32) {
        self.details = details
        self.index = index
        hasEntered = details.hasEntered
    }

    var isPresent: Bool { !peers.isEmpty }

    /// The member sent an ale.
    func cheered() {
        sent &+= 1
        ownSinceThen &+= 1
    }

    /// So many ales that were missed have been sent to the member.
    func recovered(_ count: Int64) { received &+= count }

    /// Counts what was heard since the last time: every ale while the member was here, except the member's
    /// own. `last` is the room's latest ale. Called before the member comes or goes, so that an ale itself
    /// costs those who hear it nothing.
    func settle(at last: Int64) {
        if isPresent { received &+= last &- settledAt &- ownSinceThen }
        settledAt = last
        ownSinceThen = 0
    }

    /// What was sent and heard since the last time.
    func takeCounts(at last: Int64) -> (sent: Int64, received: Int64) {
        settle(at: last)
        defer { (sent, received) = (0, 0) }
        return (sent, received)
    }

    func seen(by viewer: LiveMember?) -> Member {
        Member(
            id: details.id, name: details.name, task: details.task, tag: details.tag, you: self === viewer,
            present: isPresent)
    }
}
