package import Contract

extension SavedRoom {
    /// The latest end that is accepted, in the year 9000.
    private static let latestEnd: Int64 = 221_845_392_000_000_000

    /// Returns every room in the storage that is not over. Any content can be read; invalid rooms are left
    /// out.
    ///
    /// Changes that were incomplete when the process ended are undone. All blocks but those of the returned
    /// rooms are free then.
    package static func readAll(
        in storage: any RoomStorage, _ layout: RoomLogLayout, now: Timestamp
    ) -> [SavedRoom] {
        var rooms: [UInt64: Int] = [:]
        var parts: [UInt64: [RoomBlock.Tag: Int]] = [:]
        for block in 0..<storage.blockCount {
            guard let tag = RoomBlock.Tag(word: storage.load(RoomBlock.tag, of: block)) else { continue }
            let epoch = storage.load(RoomBlock.epoch, of: block)
            if tag.kind == .room {
                // Epochs are random: of two rooms with the same one, neither can be said to own the blocks.
                rooms[epoch] = rooms[epoch] == nil ? block : -1
            } else if parts[epoch, default: [:]].updateValue(block, forKey: tag) != nil {
                rooms[epoch] = -1
            }
        }
        var known: Set<Identifier> = []
        return rooms.sorted { $0.value < $1.value }.compactMap { epoch, block in
            guard block >= 0 else { return nil }
            let reader = Reader(storage: storage, layout: layout, parts: parts[epoch] ?? [:])
            guard let room = reader.read(block, epoch: epoch), room.closesAt > now,
                known.insert(room.id).inserted
            else { return nil }
            return room
        }
    }

    private struct Reader {
        let storage: any RoomStorage
        let layout: RoomLogLayout
        let parts: [RoomBlock.Tag: Int]

        /// Returns the room of a block; nil if it is invalid.
        func read(_ block: Int, epoch: UInt64) -> SavedRoom? {
            let words = (0..<RoomBlock.words).map { storage.load($0, of: block) }
            guard let tag = RoomBlock.Tag(word: words[RoomBlock.tag]) else { return nil }
            let constant = Array(words[RoomBlock.id..<RoomBlock.checksum])
            guard words[RoomBlock.checksum] == RoomBlock.checksum(of: [epoch] + constant),
                let senderCount = Int(exactly: words[RoomBlock.senderCount]),
                let last = Int64(exactly: words[RoomBlock.last]), last < 1 << 53
            else { return nil }
            let origin = Int64(bitPattern: words[RoomBlock.origin])
            let end = Int64(bitPattern: words[RoomBlock.end])
            guard origin >= 0, origin <= end, end < latestEnd else { return nil }
            var blocks = Blocks(room: block)
            guard let ales = ales(last, senderCount, &blocks),
                var senders = senders(senderCount, last, &blocks)
            else { return nil }
            for index in senders.indices where index < RoomBlock.whereaboutsInBlock {
                let found = Whereabouts(word: words[RoomBlock.whereabouts + index])
                senders[index].awaySince = found.awaySince(last: last)
                senders[index].status = found.status
            }
            // So has a sender that is not stored.
            for index in senders.indices.dropFirst(RoomBlock.whereaboutsInBlock) {
                senders[index].awaySince = last
            }
            return SavedRoom(
                id: Identifier(value: UInt128(words[RoomBlock.id]) << 64 | UInt128(words[RoomBlock.id + 1])),
                epoch: epoch, origin: Timestamp(microseconds: origin),
                closesAt: Timestamp(microseconds: end), last: last, ales: ales, senders: senders,
                blocks: blocks, term: tag.term)
        }

        private func ales(_ last: Int64, _ senderCount: Int, _ blocks: inout Blocks) -> [UInt64]? {
            let count = Int(min(last, Int64(layout.ales)))
            guard
                let found = inOrder(
                    .ales, atLeast: count, RoomBlock.alesInBlock, atMost: layout.ales)
            else { return nil }
            blocks.ales = found
            var ales: [UInt64] = []
            ales.reserveCapacity(count)
            for place in 0..<count {
                let (ordinal, offset) = place.quotientAndRemainder(dividingBy: RoomBlock.alesInBlock)
                let word = storage.load(RoomBlock.content + offset, of: blocks.ales[ordinal])
                guard AleLog.sender(in: word) < senderCount else { return nil }
                ales.append(word)
            }
            return ales
        }

        private func senders(_ count: Int, _ last: Int64, _ blocks: inout Blocks) -> [Sender]? {
            guard count <= storage.blockCount * RoomBlock.sendersInBlock,
                let found = inOrder(.senders, atLeast: count, RoomBlock.sendersInBlock, atMost: nil)
            else { return nil }
            blocks.senders = found
            var senders: [Sender] = []
            for index in 0..<count {
                let (ordinal, place) = index.quotientAndRemainder(dividingBy: RoomBlock.sendersInBlock)
                let word = RoomBlock.content + 2 * place
                let high = storage.load(word, of: blocks.senders[ordinal])
                let low = storage.load(word + 1, of: blocks.senders[ordinal])
                guard
                    let found = inOrder(
                        .messageIds, sender: index, atLeast: 0, RoomBlock.messageIdsInBlock,
                        atMost: layout.messageIds)
                else { return nil }
                blocks.messageIds.append(found)
                senders.append(
                    Sender(
                        registration: Identifier(value: UInt128(high) << 64 | UInt128(low)),
                        messageIds: messageIds(in: found, last)))
            }
            return senders
        }

        /// Returns the message ids of a sender. Ids with the number of an ale that did not happen are
        /// removed, in the storage too, since another ale will have that number.
        private func messageIds(in blocks: [Int], _ last: Int64) -> MessageIdMemory {
            var places: [(fingerprint: MessageFingerprint, number: Int64)?] = []
            let inBlock = RoomBlock.messageIdsInBlock
            for place in 0..<min(blocks.count * inBlock, layout.messageIds) {
                let word = RoomBlock.content + place % inBlock * RoomBlock.messageIdWords
                let block = blocks[place / inBlock]
                let number = storage.load(word, of: block)
                if number == 0 || number > UInt64(last) {
                    if number != 0 { storage.store(0, at: word, of: block) }
                    places.append(nil)
                    continue
                }
                let fingerprint =
                    UInt128(storage.load(word + 1, of: block)) << 64
                    | UInt128(storage.load(word + 2, of: block))
                places.append((MessageFingerprint(value: fingerprint), Int64(number)))
            }
            while let last = places.last, last == nil { places.removeLast() }
            return MessageIdMemory(restoring: places, capacity: layout.messageIds)
        }

        /// Returns the blocks of a kind in order; nil if there are too few for the count, or more than the
        /// limit.
        private func inOrder(
            _ kind: RoomBlock.Kind, sender: Int = 0, atLeast count: Int, _ inBlock: Int, atMost limit: Int?
        ) -> [Int]? {
            var found: [Int] = []
            while let block = parts[RoomBlock.Tag(kind, ordinal: found.count, sender: sender)] {
                found.append(block)
            }
            if found.count * inBlock < count { return nil }
            if let limit, (found.count - 1) * inBlock >= limit { return nil }
            return found
        }
    }
}
