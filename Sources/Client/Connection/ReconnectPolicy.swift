import Contract

/// How long a client waits before it comes back: exponential back-off with full jitter, so that waits grow
/// with each attempt in vain, and clients that were cut off together do not come back together.
struct ReconnectPolicy: Sendable {
    /// The longest first wait.
    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(30)
    /// A connection that lasted this long was a good one, after which waits begin anew.
    static let stable = Duration.seconds(10)
    /// So often in a row it goes at once where it is told to; then it is a loop, and waits.
    static let turns = 3

    /// Since the last connection that lasted.
    private(set) var attempts = 0
    private var turnsTaken = 0
    private var connectedSince: Duration?
    private var wasOfUse = false

    mutating func connected(at now: Duration) { connectedSince = now }

    /// Something came over the connection besides the greeting.
    mutating func heard() { wasOfUse = true }

    mutating func disconnected(at now: Duration) {
        guard let connectedSince else { return }
        if now - connectedSince >= Self.stable {
            attempts = 0
            turnsTaken = 0
        } else if wasOfUse {
            // The next wait is half as long as the last one was, and not twice as long.
            attempts = max(0, attempts - 2)
        }
        self.connectedSince = nil
        wasOfUse = false
    }

    /// The wait before the next attempt; nil: there is none. `hint` is what the server asked for.
    mutating func wait(
        _ advice: CloseAdvice, hint: Duration? = nil, using generator: inout some RandomNumberGenerator
    ) -> Duration? {
        switch advice {
        case .stop:
            return nil
        case .atOnce where turnsTaken < Self.turns && hint == nil:
            turnsTaken += 1
            return .zero
        case .backOff, .reconnect, .atOnce:
            let ceiling = min(Self.first * (1 << min(attempts, 10)), Self.longest)
            attempts += 1
            // Never earlier than asked for.
            return (hint ?? .zero) + Self.random(upTo: ceiling, using: &generator)
        }
    }

    private static func random(
        upTo limit: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let (seconds, attoseconds) = limit.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return .microseconds(Int64.random(in: 0...max(1, microseconds), using: &generator))
    }
}
