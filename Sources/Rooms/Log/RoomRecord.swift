import Contract

/// Writes one room into a storage, so that a `SavedRoom` can be read from it whenever the process ends. Loop
/// only.
///
/// Every verb is a few stores, of which the last makes it true. Where the storage is full a verb answers
/// false: then the record is out of date, and has to be freed.
final class RoomRecord {
    private let storage: any RoomStorage
    private let layout: RoomLogLayout
    private let epoch: UInt64
    private var blocks: SavedRoom.Blocks
    private var senderCount: Int

    /// Goes on with what an earlier process left.
    init(_ saved: SavedRoom, in storage: any RoomStorage, _ layout: RoomLogLayout) {
        self.storage = storage
        self.layout = layout
        epoch = saved.epoch
        blocks = saved.blocks
        senderCount = saved.senders.count
    }

    /// A room in which there was no ale yet; nil: the storage is full.
    init?(
        _ id: Identifier, epoch: UInt64, origin: Timestamp, closesAt: Timestamp, in storage: any RoomStorage,
        _ layout: RoomLogLayout
    ) {
        guard let block = storage.takeBlock() else { return nil }
        self.storage = storage
        self.layout = layout
        self.epoch = epoch
        blocks = SavedRoom.Blocks(room: block)
        senderCount = 0
        let constant =
            Self.words(of: id) + [origin.microseconds, closesAt.microseconds].map { UInt64(bitPattern: $0) }
        prepare(block, RoomBlock.Tag(.room)) { store in
            for (index, word) in constant.enumerated() { store(word, RoomBlock.id + index) }
            store(RoomBlock.checksum(of: [epoch] + constant), RoomBlock.checksum)
        }
    }

    /// The next sender; its index is how many there were.
    func add(_ registration: Identifier) -> Bool {
        let (ordinal, place) = senderCount.quotientAndRemainder(dividingBy: RoomBlock.sendersInBlock)
        if ordinal == blocks.senders.count {
            guard let block = takeBlock(RoomBlock.Tag(.senders, ordinal: ordinal)) else { return false }
            blocks.senders.append(block)
        }
        for (index, word) in Self.words(of: registration).enumerated() {
            storage.store(word, at: RoomBlock.content + 2 * place + index, of: blocks.senders[ordinal])
        }
        senderCount += 1
        blocks.messageIds.append([])
        storage.store(UInt64(senderCount), at: RoomBlock.senderCount, of: blocks.room)
        return true
    }

    /// A sender's first device came, or its last one went; `awaySince` is the room's latest ale then. A room
    /// of more senders than there is place for does without the last ones.
    func moved(_ sender: Int, awaySince: Int64?) {
        guard sender < RoomBlock.whereaboutsInBlock else { return }
        let word = awaySince.map { UInt64($0) + 1 } ?? RoomBlock.isHere
        storage.store(word, at: RoomBlock.whereabouts + sender, of: blocks.room)
    }

    /// What an ale is told apart by, and its place in its sender's memory.
    struct MessageId {
        var fingerprint: MessageFingerprint
        var sender: Int
        var place: Int
    }

    /// The next ale: `word` of an `AleLog`. With it its message id is known, and not before.
    func append(_ word: UInt64, number: Int64, messageId: MessageId?) -> Bool {
        if let messageId, !remember(messageId, number) { return false }
        let place = Int(truncatingIfNeeded: number - 1) & (layout.ales - 1)
        let (ordinal, offset) = place.quotientAndRemainder(dividingBy: RoomBlock.alesInBlock)
        if ordinal == blocks.ales.count {
            guard let block = takeBlock(RoomBlock.Tag(.ales, ordinal: ordinal)) else { return false }
            blocks.ales.append(block)
        }
        storage.store(word, at: RoomBlock.content + offset, of: blocks.ales[ordinal])
        storage.store(UInt64(number), at: RoomBlock.last, of: blocks.room)
        return true
    }

    /// The room is over, or no longer kept.
    func free() {
        // Without it all other blocks are nobody's.
        storage.store(RoomBlock.Tag.free, at: RoomBlock.tag, of: blocks.room)
        storage.giveBack(blocks.room)
        for block in blocks.senders + blocks.ales + blocks.messageIds.joined() { storage.giveBack(block) }
    }

    private func remember(_ messageId: MessageId, _ number: Int64) -> Bool {
        let (ordinal, place) = messageId.place.quotientAndRemainder(dividingBy: RoomBlock.messageIdsInBlock)
        if ordinal == blocks.messageIds[messageId.sender].count {
            let tag = RoomBlock.Tag(.messageIds, ordinal: ordinal, sender: messageId.sender)
            guard let block = takeBlock(tag) else { return false }
            blocks.messageIds[messageId.sender].append(block)
        }
        let block = blocks.messageIds[messageId.sender][ordinal]
        let word = RoomBlock.content + place * RoomBlock.messageIdWords
        // With the number of an ale that has not happened yet the rest does not count.
        storage.store(UInt64(number), at: word, of: block)
        storage.store(UInt64(truncatingIfNeeded: messageId.fingerprint.value >> 64), at: word + 1, of: block)
        storage.store(UInt64(truncatingIfNeeded: messageId.fingerprint.value), at: word + 2, of: block)
        return true
    }

    private func takeBlock(_ tag: RoomBlock.Tag) -> Int? {
        guard let block = storage.takeBlock() else { return nil }
        prepare(block, tag) { _ in }
        return block
    }

    /// Makes a block ours: empty but for what the body stores.
    private func prepare(_ block: Int, _ tag: RoomBlock.Tag, _ body: ((UInt64, Int) -> Void) -> Void) {
        storage.store(RoomBlock.Tag.free, at: RoomBlock.tag, of: block)
        for word in RoomBlock.content..<RoomBlock.words { storage.store(0, at: word, of: block) }
        storage.store(epoch, at: RoomBlock.epoch, of: block)
        body { value, word in storage.store(value, at: word, of: block) }
        storage.store(tag.word, at: RoomBlock.tag, of: block)
    }

    private static func words(of id: Identifier) -> [UInt64] {
        [UInt64(truncatingIfNeeded: id.value >> 64), UInt64(truncatingIfNeeded: id.value)]
    }
}
