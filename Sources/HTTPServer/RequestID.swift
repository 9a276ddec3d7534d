import Codecs

/// The id of one request: a UUID of version 4 (RFC 9562 §5.4) in form.
struct RequestID: Sendable, CustomStringConvertible {
    static let byteCount = 36

    private let high: UInt64
    private let low: UInt64

    /// Makes an id. Ids have to be unique, but not unguessable, so the system's generator only seeds that of
    /// their maker, and no request needs a system call.
    init(using random: inout SplitMix64) {
        high = random.next() & ~0xF000 | 0x4000
        low = random.next() & ~(3 << 62) | 2 << 62
    }

    /// A random number from 0 to 99.
    var lot: Int { Int(high >> 32) % 100 }

    var description: String {
        String(unsafeUninitializedCapacity: Self.byteCount) { buffer in
            // This is safe: all 36 bytes are written, and all are ASCII.
            buffer.initialize(repeating: 0)
            var text = buffer.mutableSpan
            write(to: &text, 0..<Self.byteCount)
            return Self.byteCount
        }
    }

    /// Writes the text to the range, if that has the right length.
    func write(to text: inout MutableSpan<UInt8>, _ range: Range<Int>) {
        guard range.count == Self.byteCount else { return }
        var end = range.lowerBound
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
    }
}
