import Codecs

/// A generator of ids for requests.
///
/// Ids have to be unique, but not unguessable, so the system's generator only seeds them, and no request
/// needs a system call.
struct RequestIDs {
    private var random = SplitMix64(seed: .random(in: .min ... .max))

    mutating func next() -> RequestID {
        let high = random.next() & ~0xF000 | 0x4000
        return RequestID(high: high, low: random.next() & ~(3 << 62) | 2 << 62)
    }
}
