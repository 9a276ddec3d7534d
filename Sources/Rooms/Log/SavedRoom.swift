package import Contract

/// A checked room that an earlier process left in a storage, or that another server hands over.
package struct SavedRoom: Sendable {
    package let id: Identifier
    let epoch: UInt64
    let origin: Timestamp
    package let closesAt: Timestamp
    let last: Int64
    /// The words of the ales, by their place in the ring.
    let ales: [UInt64]
    let senders: [Sender]
    /// The room's blocks in the storage of this process; nil if it is in none.
    var blocks: Blocks?
    /// The term in which the room was here, or in which this process has claimed it. The room goes on with
    /// its log only if no other server has owned it since.
    package var term: Int32

    /// The blocks of a room, each kind in its order.
    struct Blocks: Sendable {
        var room: Int
        var senders: [Int] = []
        var ales: [Int] = []
        /// The blocks of message ids, by the index of the sender.
        var messageIds: [[Int]] = []
    }

    package var usedBlocks: [Int] {
        guard let blocks else { return [] }
        return [blocks.room] + blocks.senders + blocks.ales + blocks.messageIds.joined()
    }

    /// Returns the room as one of this process, from that term on. It is written to the storage, if there is
    /// one that has space.
    func adopted(in storage: (any RoomStorage)?, term: Int32, _ layout: RoomLogLayout) -> SavedRoom {
        var room = self
        room.term = term
        room.blocks = storage.flatMap { RoomRecord(writing: room, to: $0, layout)?.blocks }
        return room
    }
}

/// A past or present member of a room.
struct Sender: Sendable {
    let registration: Identifier
    var messageIds = MessageIdMemory()
    /// The room's latest ale when the last device went, or 0 before the first came. It means nothing while a
    /// device is present.
    var awaySince: Int64 = 0
    var unheard = UnheardAles()
    var status: MemberStatus?

    /// The whereabouts of a sender who is away.
    var whereabouts: Whereabouts { .away(since: awaySince, status) }
}
