/// When those come back whom a stopping server sends away: at different moments, and fewer than 2,000 a
/// second.
///
/// A hint is drawn evenly from a range that grows with the number of sockets, at 1,500 to the second, so that
/// chance does not bring 2,000 into one. Few sockets have the five seconds that a restart takes anyway.
struct ReturnSpread {
    private static let perSecond = 1_500
    private static let earliest = 200
    private static let shortest = 5_000

    /// Milliseconds.
    let range: ClosedRange<Int>

    init(sockets: Int) {
        let length = sockets * 1_000 / Self.perSecond
        range = Self.earliest...max(Self.shortest, Self.earliest + length)
    }

    package func hint(using random: inout some RandomNumberGenerator) -> Duration {
        .milliseconds(Int.random(in: range, using: &random))
    }
}
