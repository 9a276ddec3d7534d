/// SHA-1 (FIPS 180-4 §6.1), required by the handshake of RFC 6455 and used for nothing else: it is not
/// secure.
package enum SHA1Digest {
    /// Returns the digest of the bytes, 20 bytes long.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        let message = padded(bytes)
        var state: SIMD8<UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0, 0, 0, 0]
        for block in stride(from: 0, to: message.count, by: 64) {
            state = state &+ compress(message.span.bytes.extracting(block..<(block + 64)), state)
        }
        return [UInt8](capacity: 20) { digest in
            for index in 0..<20 {
                digest.append(UInt8(truncatingIfNeeded: state[index / 4] >> UInt32(24 - index % 4 * 8)))
            }
        }
    }

    /// Returns the message, a one bit, zeros, and the length in bits: whole blocks (FIPS 180-4 §5.1.1).
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        var message = bytes
        message.reserveCapacity((bytes.count + 72) / 64 * 64)
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: (UInt64(bytes.count) &* 8) >> UInt64(shift)))
        }
        return message
    }

    /// Runs the rounds for one block of 64 bytes (FIPS 180-4 §6.1.2, steps 1 to 3). Returns what is to be
    /// added to the state.
    private static func compress(_ block: RawSpan, _ state: SIMD8<UInt32>) -> SIMD8<UInt32> {
        var words = InlineArray<80, UInt32>(repeating: 0)
        for index in 0..<16 {
            words[index] = UInt32(
                bigEndian: block.unsafeLoadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        }
        for index in 16..<80 {
            words[index] = rotate(
                words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        func round(_ word: UInt32, _ mixed: UInt32, _ constant: UInt32) {
            let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotate(b, 30), c, d)
        }
        for index in 0..<20 { round(words[index], b & c | ~b & d, 0x5A82_7999) }
        for index in 20..<40 { round(words[index], b ^ c ^ d, 0x6ED9_EBA1) }
        for index in 40..<60 { round(words[index], b & c | b & d | c & d, 0x8F1B_BCDC) }
        for index in 60..<80 { round(words[index], b ^ c ^ d, 0xCA62_C1D6) }
        return SIMD8(a, b, c, d, e, 0, 0, 0)
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
