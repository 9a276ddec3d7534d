/// Decisions that a seed repeats (SplitMix64).
struct FaultDice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A sequence of its own for each stream of a seed.
    init(seed: UInt64, stream: UInt64 = 0) {
        state = seed
        state = next() ^ (stream &* 0xD1B5_4A32_D192_ED03)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Draws once whatever the probability, so that one fault does not move the others.
    mutating func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    mutating func delay(_ range: ClosedRange<Duration>) -> Duration {
        let share = Double.random(in: 0...1, using: &self)
        return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
}
