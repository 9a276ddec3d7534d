import Codecs
package import Contract

/// A random number by which a request of another server is accepted once only.
package struct PeerNonce: Hashable, Sendable {
    // The value is stored in two words: Swift 6.3 miscomputes the layout of closures that await with a
    // UInt128.
    private let high: UInt64
    private let low: UInt64

    package init(using generator: inout some RandomNumberGenerator) {
        high = generator.next()
        low = generator.next()
    }

    /// Reads 32 hexadecimal digits in lower case; nil for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy(Self.isDigit),
            let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
    }

    /// The number in 32 hexadecimal digits.
    package var text: String { high.hexadecimal + low.hexadecimal }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

/// The numbers of the requests that were accepted, for as long as each could come again. It is bounded in
/// time and count, and refuses new numbers where it is full.
package struct NonceMemory: Sendable {
    package enum Verdict: Equatable, Sendable {
        case isNew
        case isKnown
        /// The number may have been known, and is forgotten already.
        case isTooOld
        case isFull
    }

    var maximum = 1 << 18
    /// The numbers by the second in which they can be forgotten. A number is signed together with its time,
    /// so that it comes again with the same second only.
    private var seconds: [Int64: Set<PeerNonce>] = [:]
    /// The last second that was forgotten. A clock that is set back does not bring it back.
    private var forgotten = Int64.min

    package private(set) var count = 0

    /// Remembers the number of a request that was made at `made`, unless it is known.
    package mutating func insert(_ nonce: PeerNonce, madeAt made: Timestamp, at now: Timestamp) -> Verdict {
        forget(before: now)
        let second = made.adding(PeerAssertion.window).seconds
        guard second > forgotten else { return .isTooOld }
        if seconds[second]?.contains(nonce) == true { return .isKnown }
        guard count < maximum else { return .isFull }
        seconds[second, default: []].insert(nonce)
        count += 1
        return .isNew
    }

    /// Forgets whole seconds that are over.
    private mutating func forget(before now: Timestamp) {
        let last = now.seconds - 1
        guard last > forgotten else { return }
        forgotten = last
        for second in seconds.keys where second <= last {
            count -= seconds.removeValue(forKey: second)?.count ?? 0
        }
    }
}
