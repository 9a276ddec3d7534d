/// The character classes of RFC 3986, by the names in its grammar.
extension UInt8 {
    /// Whether the character is unreserved (RFC 3986 §2.3): an ASCII letter or digit, `-`, `.`, `_` or `~`.
    @inlinable package var isUnreserved: Bool {
        self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 26
            || self == 0x2D || self == 0x2E || self == 0x5F || self == 0x7E
    }

    /// The value of a hexadecimal digit in either case, 0 to 15; nil for any other character.
    @inlinable package var hexValue: UInt8? {
        let digit = self &- 0x30
        if digit < 10 { return digit }
        let message = (self | 0x20) &- 0x61
        return message < 6 ? message &+ 10 : nil
    }
}
