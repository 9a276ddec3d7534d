/// The speed at which the sockets of a server that ends are closed: 4,000 in a second, or as many as it takes
/// to close all of them in 25 seconds.
///
/// Ten thousand rooms of two are handed over in five seconds, and their devices come back within two more.
struct HandOverPace {
    private static let perSecond = 4_000
    private static let longestSeconds = 25
    /// The number of parts of a second.
    private static let parts = 10

    private let perSecond: Int

    init(sockets: Int) {
        perSecond = max(Self.perSecond, (sockets + Self.longestSeconds - 1) / Self.longestSeconds)
    }

    /// The number of sockets that are closed at once.
    var atOnce: Int { perSecond / Self.parts }

    /// Returns the time that so many sockets take at least.
    func time(for closed: Int) -> Duration { .microseconds(Int64(closed) * 1_000_000 / Int64(perSecond)) }
}
