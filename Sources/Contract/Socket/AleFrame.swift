/// An ale in one of the spellings that encoders usually give it, recognised by comparing words of eight
/// bytes:
///
///     {"type":"ale"}        {"type":"ale","id":"<36>"}        {"id":"<36>","type":"ale"}
///
/// The first two may also end with `,"messageId":"…"` in plain ASCII.
struct AleFrame {
    let room: Identifier?
    /// The range of the messageId in the payload.
    let messageId: Range<Int>?

    init?(_ payload: RawSpan) {
        if Self.matches(payload, 0, Words.typeOpening), Self.matches(payload, 5, Words.typeAle) {
            var position = 13
            var room: Identifier?
            if Self.matches(payload, 12, Words.idAfterType) {
                room = Self.uuid(payload, at: 20)
                guard room != nil, Self.byte(payload, 56) == UInt8(ascii: "\"") else { return nil }
                position = 57
            }
            self.room = room
            if payload.byteCount == position + 1, Self.byte(payload, position) == UInt8(ascii: "}") {
                messageId = nil
                return
            }
            guard let range = Self.plainMessageId(payload, at: position) else { return nil }
            messageId = range
        } else {
            guard payload.byteCount == 58,
                Self.matches(payload, 0, Words.idOpening, mask: 0x00FF_FFFF_FFFF_FFFF),
                let id = Self.uuid(payload, at: 7), Self.matches(payload, 43, Words.typeAfterId),
                Self.matches(payload, 50, Words.aleClosing)
            else { return nil }
            room = id
            messageId = nil
        }
    }

    /// Whether the payload is exactly the frame that the published app sends: `{"type":"ale","id":"<36>"}`.
    static func isPlainAle(_ payload: RawSpan, _ room: IdentifierText) -> Bool {
        payload.byteCount == 58 && matches(payload, 0, Words.typeOpening)
            && matches(payload, 5, Words.typeAle)
            && matches(payload, 12, Words.idAfterType) && room.stands(in: payload, at: 20)
            && byte(payload, 56) == UInt8(ascii: "\"") && byte(payload, 57) == UInt8(ascii: "}")
    }

    /// Words of eight ASCII bytes, the first byte being the lowest.
    private enum Words {
        /// `{"type":`
        static let typeOpening: UInt64 = 0x3A22_6570_7974_227B
        /// `e":"ale"`, overlapping the word before.
        static let typeAle: UInt64 = 0x2265_6C61_223A_2265
        /// `","id":"`
        static let idAfterType: UInt64 = 0x223A_2264_6922_2C22
        /// `,"messag`
        static let messageOpening: UInt64 = 0x6761_7373_656D_222C
        /// `ageId":"`, overlapping the word before.
        static let messageIdOpening: UInt64 = 0x223A_2264_4965_6761
        /// `{"id":"` and one byte that is masked out.
        static let idOpening: UInt64 = 0x0022_3A22_6469_227B
        /// `","type"`
        static let typeAfterId: UInt64 = 0x2265_7079_7422_2C22
        /// `":"ale"}`, overlapping the word before.
        static let aleClosing: UInt64 = 0x7D22_656C_6122_3A22
    }

    private static func matches(
        _ bytes: RawSpan, _ offset: Int, _ word: UInt64, mask: UInt64 = .max
    ) -> Bool {
        guard offset + 8 <= bytes.byteCount else { return false }
        let loaded = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return UInt64(littleEndian: loaded) & mask == word
    }

    private static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8? {
        guard offset < bytes.byteCount else { return nil }
        return bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    private static func uuid(_ bytes: RawSpan, at offset: Int) -> Identifier? {
        guard offset + Identifier.textLength <= bytes.byteCount else { return nil }
        return Identifier(ascii: bytes.extracting(offset..<offset + Identifier.textLength))
    }

    /// Returns the range of the messageId between `,"messageId":"` and `"}`; nil if it has escapes or is not
    /// ASCII.
    private static func plainMessageId(_ bytes: RawSpan, at offset: Int) -> Range<Int>? {
        let start = offset + 14
        let end = bytes.byteCount - 2
        guard end > start, Limits.messageIdCharacters.contains(end - start),
            matches(bytes, offset, Words.messageOpening), matches(bytes, offset + 6, Words.messageIdOpening),
            byte(bytes, end) == UInt8(ascii: "\""), byte(bytes, end + 1) == UInt8(ascii: "}")
        else { return nil }
        for index in start..<end {
            switch byte(bytes, index) {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), nil: return nil
            case .some(0x20...0x7E): continue
            default: return nil
            }
        }
        return start..<end
    }
}
