import Contract

/// A writer of one room to a storage, from which a `SavedRoom` can be read whenever the process ends. Loop
/// only.
///
/// Every call makes a few stores, of which the last one makes it take effect. A call returns false if the
/// storage is full: then the record is out of date, and has to be freed.
final class RoomRecord {
    private let storage: any RoomStorage
    private let layout: RoomLogLayout
    private let epoch: UInt64
    private var blocks: SavedRoom.Blocks
    private var senderCount: Int

    /// Continues the record of an earlier process.
    init(_ saved: SavedRoom, in storage: any RoomStorage, _ layout: RoomLogLayout) {
        self.storage = storage
        self.layout = layout
        epoch = saved.epoch
        blocks = saved.blocks
        senderCount = saved.senders.count
    }

    /// Creates a record of a room without ales; nil if the storage is full.
    init?(
        _ id: Identifier, term: Int32, epoch: UInt64, origin: Timestamp, closesAt: Timestamp,
        in storage: any RoomStorage, _ layout: RoomLogLayout
    ) {
        guard let block = storage.takeBlock() else { return nil }
        self.storage = storage
        self.layout = layout
        self.epoch = epoch
        blocks = SavedRoom.Blocks(room: block)
        senderCount = 0
        let constant =
            Self.words(of: id) + [origin.microseconds, closesAt.microseconds].map { UInt64(bitPattern: $0) }
        prepare(block, RoomBlock.Tag(room: term)) { store in
            for (index, word) in constant.enumerated() { store(word, RoomBlock.id + index) }
            store(RoomBlock.checksum(of: [epoch] + constant), RoomBlock.checksum)
        }
    }

    /// Appends a sender, whose index is the number of senders before.
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

    /// Stores that a sender's first device came, or that its last one went; then `awaySince` is the room's
    /// latest ale. Senders beyond the space of the room's block are not stored.
    func moved(_ sender: Int, awaySince: Int64?) {
        guard sender < RoomBlock.whereaboutsInBlock else { return }
        let word = awaySince.map { UInt64($0) + 1 } ?? RoomBlock.isHere
        storage.store(word, at: RoomBlock.whereabouts + sender, of: blocks.room)
    }

    /// The message id of an ale, as a fingerprint, and its place in its sender's memory.
    struct MessageId {
        var fingerprint: MessageFingerprint
        var sender: Int
        var place: Int
    }

    /// Appends the next ale: `word` of an `AleLog`. Its message id takes effect with it, and not before.
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

    /// Stores the term in which the room is here from now on.
    func began(_ term: Int32) {
        storage.store(RoomBlock.Tag(room: term).word, at: RoomBlock.tag, of: blocks.room)
    }

    /// Frees the blocks of a room that is over, or no longer kept.
    func free() {
        // Without the room's block all its other blocks are free.
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
        // A message id is ignored while its ale has a number above the last one.
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

    /// Clears a block for this room, and lets the body store its content.
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
