/// The masking of RFC 6455 §5.3, eight bytes at a time.
enum Masking {
    /// Unmasks `range` in place, whose first byte is the `position`th of its frame. Returns whether all of it
    /// is ASCII.
    static func unmask(
        _ bytes: inout MutableRawSpan, _ range: Range<Int>, key: UInt32, position: Int
    ) -> Bool {
        let turned = turn(key, to: position)
        let wide = UInt64(turned) << 32 | UInt64(turned)
        var seen: UInt64 = 0
        var index = range.lowerBound
        while range.upperBound - index >= 8 {
            let word = bytes.bytes.word(at: index) ^ wide
            bytes.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
            seen |= word
            index += 8
        }
        var rest = wide
        while index < range.upperBound {
            let byte = bytes.bytes.byte(at: index) ^ UInt8(truncatingIfNeeded: rest)
            bytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            seen |= UInt64(byte)
            rest >>= 8
            index += 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Returns the key rotated for the `position`th byte of a frame.
    private static func turn(_ key: UInt32, to position: Int) -> UInt32 {
        let bits = UInt32(truncatingIfNeeded: position & 3) * 8
        return bits == 0 ? key : key >> bits | key << (32 - bits)
    }
}
