/// SHA-1 (FIPS 180-4 §6.1), required by the handshake of RFC 6455 and used for nothing else: it is not
/// secure.
package enum SHA1Digest {
    /// Returns the digest of the bytes, 20 bytes long.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity((bytes.count + 72) / 64 * 64)
        message += bytes
        message.append(0x80)
        message.append(contentsOf: repeatElement(0, count: (120 - message.count % 64) % 64))
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: (UInt64(bytes.count) &* 8) >> UInt64(shift)))
        }
        var state: SIMD8<UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0, 0, 0, 0]
        var schedule = [UInt32](repeating: 0, count: 80)
        for block in stride(from: 0, to: message.count, by: 64) {
            var words = schedule.mutableSpan
            for index in 0..<16 {
                let byte = block + index * 4
                words[index] =
                    UInt32(message[byte]) << 24 | UInt32(message[byte + 1]) << 16
                    | UInt32(message[byte + 2]) << 8 | UInt32(message[byte + 3])
            }
            for index in 16..<80 {
                let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
                words[index] = rotate(word, 1)
            }
            state = compress(words.span, into: state)
        }
        return (0..<20).map { UInt8(truncatingIfNeeded: state[$0 / 4] >> UInt32(24 - $0 % 4 * 8)) }
    }

    /// Runs the rounds for one block of 64 bytes (FIPS 180-4 §6.1.2, steps 2 to 4).
    private static func compress(_ words: Span<UInt32>, into state: SIMD8<UInt32>) -> SIMD8<UInt32> {
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ words[index]
            (a, b, c, d, e) = (next, a, rotate(b, 30), c, d)
        }
        return state &+ SIMD8(a, b, c, d, e, 0, 0, 0)
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
