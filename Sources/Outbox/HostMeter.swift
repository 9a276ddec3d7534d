import Contract

/// How much a host has been sent of late: a token bucket, as full as can be where nothing was for long.
struct HostMeter: Sendable {
    /// What was sent and is not made good for by the time since.
    private var spent = 0.0
    private var at = Timestamp(seconds: 0)

    /// How many may begin now.
    func allowance(_ rate: Int, _ burst: Int, at now: Timestamp) -> Int {
        Int((Double(burst) - rest(rate, at: now)).rounded(.down))
    }

    mutating func spend(_ rate: Int, at now: Timestamp) {
        spent = rest(rate, at: now) + 1
        at = now
    }

    /// When so many may begin.
    func refilled(to count: Int, _ rate: Int, _ burst: Int) -> Timestamp {
        let missing = spent - Double(burst - count)
        guard missing > 0 else { return at }
        return at.adding(.microseconds(Int64((missing / Double(rate) * 1e6).rounded(.up))))
    }

    /// A clock that is set back makes nothing good, and takes nothing.
    private func rest(_ rate: Int, at now: Timestamp) -> Double {
        let (seconds, attoseconds) = now.since(at).components
        let passed = max(0, Double(seconds) + Double(attoseconds) / 1e18)
        return max(0, spent - Double(rate) * passed)
    }
}
