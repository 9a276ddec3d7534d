/// An incremental validator of UTF-8 (RFC 3629). It fails at the first invalid byte, wherever the text is
/// cut.
struct UTF8Validator: Sendable {
    /// The number of continuation bytes that the current character still needs.
    private var missing: UInt8 = 0
    /// The least value of the next continuation byte; the bounds exclude overlong forms and surrogates.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text may end here.
    var isComplete: Bool { missing == 0 }

    /// Takes the next bytes; returns false if they are not UTF-8.
    mutating func take(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            if missing == 0 && range.upperBound - index >= 8
                && bytes.word(at: index) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
                continue
            }
            guard take(bytes.byte(at: index)) else { return false }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= lowest && byte <= highest else { return false }
            missing -= 1
            lowest = 0x80
            highest = 0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }
}
