/// A generator of ids for requests.
///
/// Ids have to be unique, but not unguessable, so the system's generator only seeds them, and no request
/// needs a system call. The sequence is SplitMix64.
struct RequestIDs {
    private var state: UInt64

    init() {
        var random = SystemRandomNumberGenerator()
        state = random.next()
    }

    mutating func next() -> RequestID {
        let high = word() & ~0xF000 | 0x4000
        return RequestID(high: high, low: word() & ~(3 << 62) | 2 << 62)
    }

    private mutating func word() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
