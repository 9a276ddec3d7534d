import Contract

/// One member's place in a room.
final class Seat {
    var member: Roster.Member
    /// Index among the room's seats, past ones included; the log names senders by it.
    let index: Int32
    var visitors: [Visitor] = []
    var hasEntered: Bool
    var hasLeft = false
    var messageIds = MessageIdMemory()
    /// Since counts were taken last.
    var sent: Int64 = 0
    var received: Int64 = 0

    init(_ member: Roster.Member, index: Int32) {
        self.member = member
        self.index = index
        hasEntered = member.hasEntered
    }

    var isPresent: Bool { !visitors.isEmpty }

    func seen(by viewer: Seat?) -> Member {
        Member(
            id: member.id, name: member.name, task: member.task, tag: member.tag, you: self === viewer,
            present: isPresent)
    }
}
