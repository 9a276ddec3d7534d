import Contract

/// A member of a live room, with devices and counts.
final class LiveMember {
    // The fields that every ale touches come first, so that they are adjacent in memory.
    /// The index among the room's members, past ones included; the log names senders by it.
    let index: Int32
    /// The number of ales that the member sent since counts were last taken; the room counts them.
    var sent: Int64 = 0
    /// The number of ales that the member heard since counts were last taken, as of the last `settle`.
    private var received: Int64 = 0
    /// The room's latest ale and the value of `sent` at the last `settle`.
    private var settledAt: Int64 = 0
    private var sentBefore: Int64 = 0
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

    /// Whether the member is sent ales.
    var hearsAles: Bool { !details.isQuiet }

    /// Counts missed ales that have been sent to the member.
    func recovered(_ count: Int64) { received &+= count }

    /// Counts the ales heard since the last call: every ale while the member was present, except the member's
    /// own. `last` is the room's latest ale. It is called before the member comes or goes, so that an ale
    /// costs nothing for its listeners.
    func settle(at last: Int64) {
        if isPresent, hearsAles { received &+= last &- settledAt &- (sent &- sentBefore) }
        settledAt = last
        sentBefore = sent
    }

    /// Returns the ales sent and heard since the last call, and resets the counts.
    func takeCounts(at last: Int64) -> (sent: Int64, received: Int64) {
        settle(at: last)
        defer { (sent, sentBefore, received) = (0, 0, 0) }
        return (sent, received)
    }

    func seen(by viewer: LiveMember?, status: MemberStatus?) -> Member {
        Member(
            id: details.id, name: details.name, task: details.task, tag: details.tag, you: self === viewer,
            present: isPresent, words: details.words, quiet: details.isQuiet ? true : nil,
            status: status)
    }
}
