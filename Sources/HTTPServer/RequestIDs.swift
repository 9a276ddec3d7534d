/// Ids for requests: UUIDs of version 4 (RFC 9562 §5.4) in form.
///
/// They have to differ, not to be unguessable: so the system's generator only seeds them, and no request pays for a
/// system call. The sequence is SplitMix64.
struct RequestIDs {
    private var state: UInt64

    init() {
        var random = SystemRandomNumberGenerator()
        state = random.next()
    }

    mutating func next() -> String {
        let high = word() & ~0xF000 | 0x4000
        let low = word() & ~(3 << 62) | 2 << 62
        return String(unsafeUninitializedCapacity: 36) { text in
            // Sound: 32 digits and four hyphens are 36 bytes.
            var end = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                let half = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (index & 15))) & 15
                text[end] = digit < 10 ? 0x30 + digit : 0x57 + digit
                end += 1
            }
            return end
        }
    }

    private mutating func word() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
