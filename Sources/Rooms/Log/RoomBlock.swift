/// The layout of the blocks of a `RoomStorage`.
///
///     word      0    1      2 …
///     room      tag  epoch  id (2) · origin · end · checksum of these and the epoch · senders · last ale ·
///               where each of the first 55 senders is, and with which status: see `Whereabouts`
///     senders   tag  epoch  31 registrations of two words
///     ales      tag  epoch  62 words of an `AleLog`, by their place in the ring
///     ids       tag  epoch  20 message ids, by their place in the ring: ale · fingerprint (2)
///
/// A block belongs to the room with its epoch, and nothing else refers to it; it is free if its room is gone.
/// The tag is stored last, when the rest is written; an ale takes effect with the store of the last ale's
/// number. The tag of a room's block has the room's term where that of message ids has their sender. The
/// previous version stores 0 there and ignores it, so that either version reads the other's blocks.
package enum RoomBlock {
    package static let words = 64

    enum Kind: UInt64 {
        case room = 1
        case senders, ales, messageIds
    }

    /// The identity of a block: its kind, its number within the kind, and the sender of its message ids.
    struct Tag: Hashable {
        static let free: UInt64 = 0

        var kind: Kind
        var ordinal = 0
        /// The index among the room's senders, for message ids; the room's term, for its own block.
        var sender = 0

        init(_ kind: Kind, ordinal: Int = 0, sender: Int = 0) {
            self.kind = kind
            self.ordinal = ordinal
            self.sender = sender
        }

        /// Creates the tag of a room's block.
        init(room term: Int32) { self.init(.room, sender: Int(term)) }

        /// The term in the tag of a room's block.
        var term: Int32 { Int32(truncatingIfNeeded: sender) }

        /// Reads a tag; nil if the block is free.
        init?(word: UInt64) {
            guard let kind = Kind(rawValue: word >> 56) else { return nil }
            self.kind = kind
            sender = Int(word >> 24 & 0xffff_ffff)
            ordinal = Int(word & 0xff_ffff)
        }

        var word: UInt64 {
            kind.rawValue << 56 | UInt64(truncatingIfNeeded: sender) << 24
                | UInt64(truncatingIfNeeded: ordinal)
        }
    }

    static let tag = 0
    static let epoch = 1
    /// The first word of the content that depends on the kind.
    static let content = 2

    // The words of a room's block.
    static let id = 2
    static let origin = 4
    static let end = 5
    static let checksum = 6
    static let senderCount = 7
    static let last = 8
    static let whereabouts = 9

    static let whereaboutsInBlock = words - whereabouts
    static let sendersInBlock = (words - content) / 2
    static let alesInBlock = words - content
    static let messageIdWords = 3
    static let messageIdsInBlock = (words - content) / messageIdWords

    /// Returns the checksum of the words of a room's block that never change.
    static func checksum(of words: [UInt64]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for word in words {
            let mixed = (hash ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
            hash = mixed.high ^ mixed.low ^ word
        }
        return hash
    }
}
