import Contract

/// A token bucket: `perSecond` tokens a second, and a burst of twice as many.
struct TokenBucket {
    private var tokens: Float
    private var at: Int64

    init(perSecond: Int, now: Timestamp) {
        tokens = Float(perSecond) * 2
        at = now.microseconds
    }

    /// Takes a token; returns false if there is none. A clock that was set back adds and removes no tokens.
    mutating func take(perSecond: Int, now: Timestamp) -> Bool {
        let (elapsed, overflow) = now.microseconds.subtractingReportingOverflow(at)
        at = now.microseconds
        if elapsed > 0 && !overflow {
            tokens = min(Float(perSecond) * 2, tokens + Float(elapsed) * Float(perSecond) / 1_000_000)
        }
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
