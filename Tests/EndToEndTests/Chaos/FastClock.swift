/// A clock that runs so many times faster, so that waits made for people fit into a test.
struct FastClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let factor: Int
    private let origin = ContinuousClock.now

    init(factor: Int) { self.factor = factor }

    var now: Instant { Instant(offset: origin.duration(to: .now) * factor) }
    var minimumResolution: Duration { .milliseconds(factor) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: origin.advanced(by: deadline.offset / factor))
    }
}
