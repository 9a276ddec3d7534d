import Contract

/// A token bucket of the deliveries sent to a host; it is full after a long pause.
struct HostMeter: Sendable {
    /// The tokens that were used up to `at` and are not refilled yet.
    private var spent = 0.0
    private var at = Timestamp(seconds: 0)

    /// Returns the number of attempts that may begin now.
    func allowance(_ rate: Int, _ burst: Int, at now: Timestamp) -> Int {
        Int((Double(burst) - rest(rate, at: now)).rounded(.down))
    }

    mutating func spend(_ rate: Int, at now: Timestamp) {
        spent = rest(rate, at: now) + 1
        at = now
    }

    /// Returns the instant at which `count` attempts may begin.
    func refilled(to count: Int, _ rate: Int, _ burst: Int) -> Timestamp {
        let missing = spent - Double(burst - count)
        guard missing > 0 else { return at }
        return at.adding(.microseconds(Int64((missing / Double(rate) * 1e6).rounded(.up))))
    }

    /// Returns the tokens in use at `now`. A clock that is set back neither refills nor takes any.
    private func rest(_ rate: Int, at now: Timestamp) -> Double {
        let (seconds, attoseconds) = now.since(at).components
        let passed = max(0, Double(seconds) + Double(attoseconds) / 1e18)
        return max(0, spent - Double(rate) * passed)
    }
}
