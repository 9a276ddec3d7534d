package import Contract

/// The bytes of rooms on their way from one server to another: the blocks of a `RoomStorage`, after one block
/// that names the layout. Words are in little-endian order.
package enum RoomTransfer {
    private static let magic: UInt64 = 0x5357_4954_4348_5458
    private static let wordBytes = MemoryLayout<UInt64>.size

    /// Returns the number of bytes of rooms with that many words in all.
    package static func size(ofWords words: Int) -> Int { (RoomBlock.words + words) * wordBytes }

    /// Returns the bytes of rooms.
    package static func encode(_ rooms: [LeavingRoom], _ layout: RoomLogLayout) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size(ofWords: rooms.reduce(0) { $0 + $1.blocks.count }))
        append(header(layout), to: &bytes)
        for room in rooms { append(room.blocks, to: &bytes) }
        return bytes
    }

    /// Reads rooms; nil if the bytes are no transfer, or one of another layout. Rooms that are not valid, or
    /// over, are left out.
    package static func read(_ bytes: [UInt8], _ layout: RoomLogLayout, now: Timestamp) -> [SavedRoom]? {
        let blockBytes = RoomBlock.words * wordBytes
        guard bytes.count >= blockBytes, bytes.count.isMultiple(of: blockBytes) else { return nil }
        var words: [UInt64] = []
        words.reserveCapacity(bytes.count / wordBytes)
        for start in stride(from: 0, to: bytes.count, by: wordBytes) {
            var word: UInt64 = 0
            for offset in (0..<wordBytes).reversed() { word = word << 8 | UInt64(bytes[start + offset]) }
            words.append(word)
        }
        guard Array(words.prefix(RoomBlock.words)) == header(layout) else { return nil }
        let storage = MemoryRoomStorage(words: Array(words.dropFirst(RoomBlock.words)))
        return SavedRoom.readAll(in: storage, layout, now: now)
    }

    private static func header(_ layout: RoomLogLayout) -> [UInt64] {
        let words = [magic, UInt64(layout.ales), UInt64(layout.messageIds)]
        return words + Array(repeating: 0, count: RoomBlock.words - words.count)
    }

    private static func append(_ words: [UInt64], to bytes: inout [UInt8]) {
        for word in words {
            for shift in stride(from: 0, to: UInt64.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
    }
}
