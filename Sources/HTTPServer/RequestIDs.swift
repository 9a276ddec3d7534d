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
        let high = UInt128(word() & ~0xF000 | 0x4000)
        let low = UInt128(word() & ~(3 << 62) | 2 << 62)
        return text(of: high << 64 | low)
    }

    private func text(of value: UInt128) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(0x2D) }
            let digit = UInt8(truncatingIfNeeded: value >> UInt128(124 - 4 * index)) & 15
            text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func word() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
