/// The delays after which the clients of a stopping server come back: spread so that fewer than 2,000 come in
/// a second.
///
/// A delay is drawn evenly from a range that grows by a second for every 1,500 sockets, so that chance does
/// not bring 2,000 into one second. With few sockets the range ends at five seconds, which a restart takes
/// anyway.
package struct ReturnSpread {
    private static let perSecond = 1_500
    private static let earliest = 200
    private static let shortest = 5_000

    /// The range of the delays, in milliseconds.
    let range: ClosedRange<Int>

    package init(sockets: Int) {
        let length = sockets * 1_000 / Self.perSecond
        range = Self.earliest...max(Self.shortest, Self.earliest + length)
    }

    package func hint(using random: inout some RandomNumberGenerator) -> Duration {
        .milliseconds(Int.random(in: range, using: &random))
    }
}
