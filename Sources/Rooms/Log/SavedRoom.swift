package import Contract

/// A room as an earlier process left it in a storage, checked.
package struct SavedRoom: Sendable {
    package let id: Identifier
    let epoch: UInt64
    let origin: Timestamp
    package let closesAt: Timestamp
    let last: Int64
    /// By their place in the ring.
    let ales: [UInt64]
    let senders: [Sender]
    /// In the storage.
    let blocks: Blocks

    /// The blocks of a room, each kind in its order.
    struct Blocks: Sendable {
        var room: Int
        var senders: [Int] = []
        var ales: [Int] = []
        /// By the index of the sender.
        var messageIds: [[Int]] = []
    }

    package var usedBlocks: [Int] {
        [blocks.room] + blocks.senders + blocks.ales + blocks.messageIds.joined()
    }
}

/// Somebody who was a member of a room at any time.
struct Sender: Sendable {
    let registration: Identifier
    var messageIds = MessageIdMemory()
    /// The room's latest ale when the last device went, or 0 before the first came. It means nothing while
    /// one is here.
    var awaySince: Int64 = 0
    var unheard = UnheardAles()
}
