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
    private(set) var blocks: SavedRoom.Blocks
    private var senderCount: Int

    /// Continues the record of a room that is in the storage; nil if it is not.
    init?(_ saved: SavedRoom, in storage: any RoomStorage, _ layout: RoomLogLayout) {
        guard let blocks = saved.blocks else { return nil }
        self.storage = storage
        self.layout = layout
        epoch = saved.epoch
        self.blocks = blocks
        senderCount = saved.senders.count
    }

    /// Creates a record of a room without ales; nil if the storage is full.
    convenience init?(
        _ id: Identifier, term: Int32, epoch: UInt64, origin: Timestamp, closesAt: Timestamp,
        in storage: any RoomStorage, _ layout: RoomLogLayout
    ) {
        self.init(begin: id, epoch: epoch, origin: origin, closesAt: closesAt, in: storage, layout)
        began(term)
    }

    /// Creates a record of a room with its ales and message ids; nil if the storage is full. It takes effect
    /// once all of it is written.
    convenience init?(writing room: SavedRoom, to storage: any RoomStorage, _ layout: RoomLogLayout) {
        self.init(
            begin: room.id, epoch: room.epoch, origin: room.origin, closesAt: room.closesAt, in: storage,
            layout)
        guard write(room) else {
            free()
            return nil
        }
        began(room.term)
    }

    /// Creates a record that takes effect with `began`.
    private init?(
        begin id: Identifier, epoch: UInt64, origin: Timestamp, closesAt: Timestamp,
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
        prepare(block) { store in
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

    /// Stores where a sender is, and with which status. Senders beyond the space of the room's block are not
    /// stored.
    func moved(_ sender: Int, _ whereabouts: Whereabouts) {
        guard sender < RoomBlock.whereaboutsInBlock else { return }
        storage.store(whereabouts.word, at: RoomBlock.whereabouts + sender, of: blocks.room)
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
        guard put(word, at: Int(truncatingIfNeeded: number - 1) & (layout.ales - 1)) else { return false }
        storage.store(UInt64(number), at: RoomBlock.last, of: blocks.room)
        return true
    }

    /// Writes senders, message ids and ales of a room; false if the storage is full.
    private func write(_ room: SavedRoom) -> Bool {
        for (index, sender) in room.senders.enumerated() {
            guard add(sender.registration) else { return false }
            moved(index, sender.whereabouts)
            for (place, entry) in sender.messageIds.entries.enumerated() {
                let fingerprint = entry?.fingerprint ?? MessageFingerprint(value: 0)
                let messageId = MessageId(fingerprint: fingerprint, sender: index, place: place)
                // The number of no ale marks a place whose id is not known.
                guard remember(messageId, entry?.number ?? 0) else { return false }
            }
        }
        for (place, word) in room.ales.enumerated() {
            guard put(word, at: place) else { return false }
        }
        storage.store(UInt64(room.last), at: RoomBlock.last, of: blocks.room)
        return true
    }

    /// Stores the word of an ale at its place in the ring; false if the storage is full.
    private func put(_ word: UInt64, at place: Int) -> Bool {
        let (ordinal, offset) = place.quotientAndRemainder(dividingBy: RoomBlock.alesInBlock)
        if ordinal == blocks.ales.count {
            guard let block = takeBlock(RoomBlock.Tag(.ales, ordinal: ordinal)) else { return false }
            blocks.ales.append(block)
        }
        storage.store(word, at: RoomBlock.content + offset, of: blocks.ales[ordinal])
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
        prepare(block) { _ in }
        storage.store(tag.word, at: RoomBlock.tag, of: block)
        return block
    }

    /// Clears a block for this room, and lets the body store its content. Its tag is stored afterwards.
    private func prepare(_ block: Int, _ body: ((UInt64, Int) -> Void) -> Void) {
        storage.store(RoomBlock.Tag.free, at: RoomBlock.tag, of: block)
        for word in RoomBlock.content..<RoomBlock.words { storage.store(0, at: word, of: block) }
        storage.store(epoch, at: RoomBlock.epoch, of: block)
        body { value, word in storage.store(value, at: word, of: block) }
    }

    private static func words(of id: Identifier) -> [UInt64] {
        [UInt64(truncatingIfNeeded: id.value >> 64), UInt64(truncatingIfNeeded: id.value)]
    }
}
