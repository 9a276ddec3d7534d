import Codecs

/// A random number generator whose decisions a seed repeats (SplitMix64).
struct FaultDice: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    /// Creates a generator with a sequence of its own for each stream of a seed.
    init(seed: UInt64, stream: UInt64 = 0) {
        var first = SplitMix64(seed: seed)
        generator = SplitMix64(seed: first.next() ^ (stream &* 0xD1B5_4A32_D192_ED03))
    }

    mutating func next() -> UInt64 { generator.next() }

    /// Returns true with that probability. It draws once in any case, so that one fault does not shift the
    /// others.
    mutating func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    mutating func delay(_ range: ClosedRange<Duration>) -> Duration {
        let share = Double.random(in: 0...1, using: &self)
        return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
}
