import Codecs
import Contract
import Crypto

/// A position in a list that is ordered by slot and id: opaque to clients, `base64url(slot 8 | id 16)`. The
/// first byte of the slot is its length in minutes, if it is not as long as `SLOT_SECONDS` says.
struct Cursor: Equatable, Sendable {
    /// The key of the slot.
    package var startsAt: Timestamp
    package var id: Identifier

    init(startsAt: Timestamp, id: Identifier) {
        self.startsAt = startsAt
        self.id = id
    }

    /// Reads a cursor; nil if no server wrote it.
    init?(_ text: String) {
        guard text.utf8.count == 32, let bytes = Base64URL.decode(text), bytes.count == 24 else { return nil }
        var seconds = bytes[..<8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let minutes = (1...SlotKey.mostMinutes).contains(Int(bytes[0])) ? Int(bytes[0]) : nil
        if let minutes { seconds -= Int64(minutes) << 56 }
        // The seconds that PostgreSQL has a time for.
        guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
        startsAt = SlotKey(startsAt: Timestamp(seconds: seconds), minutes: minutes).instant
        id = Identifier(value: bytes[8...].reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// The text of the cursor. It has whole seconds, since slots start at those.
    package var text: String {
        let minutes = Int64(SlotKey(startsAt).minutes ?? 0)
        let seconds = UInt64(bitPattern: startsAt.seconds &+ minutes << 56)
        let head = (0..<8).map { UInt8(truncatingIfNeeded: seconds >> UInt64(56 - 8 * $0)) }
        let tail = (0..<16).map { UInt8(truncatingIfNeeded: id.value >> UInt128(120 - 8 * $0)) }
        return Base64URL.encode(head + tail)
    }
}
