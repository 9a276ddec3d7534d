/// A UUID in the two spellings that clients use, in lower and in upper case. An id in a message is compared
/// with it without parsing.
public struct IdentifierText: Hashable, Sendable {
    public let id: Identifier
    private let lower: Words
    private let upper: Words

    /// The 36 bytes of a spelling: four words of eight bytes, and one of four.
    private struct Words: Hashable, Sendable {
        var first: UInt64
        var second: UInt64
        var third: UInt64
        var fourth: UInt64
        var last: UInt32

        /// Reads the words; `bytes` has at least 36 bytes from `offset` on.
        init(_ bytes: RawSpan, at offset: Int) {
            first = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            second = bytes.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            third = bytes.unsafeLoadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)
            fourth = bytes.unsafeLoadUnaligned(fromByteOffset: offset + 24, as: UInt64.self)
            last = bytes.unsafeLoadUnaligned(fromByteOffset: offset + 32, as: UInt32.self)
        }
    }

    public init(_ id: Identifier) {
        self.id = id
        let text = id.description
        let (lowerCase, upperCase) = (Array(text.utf8), Array(text.uppercased().utf8))
        lower = Words(lowerCase.span.bytes, at: 0)
        upper = Words(upperCase.span.bytes, at: 0)
    }

    /// Whether `bytes` has the id at `offset` in one of the two spellings. False does not exclude a third
    /// spelling.
    func stands(in bytes: RawSpan, at offset: Int) -> Bool {
        guard offset >= 0, offset <= bytes.byteCount - Identifier.textLength else { return false }
        let words = Words(bytes, at: offset)
        return words == lower || words == upper
    }
}
