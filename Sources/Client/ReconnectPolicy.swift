import Contract

/// How long a client waits before it comes back: longer each time in vain, and never all clients at the same
/// moment.
struct ReconnectPolicy: Sendable {
    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(30)

    /// Attempts since the last one that worked.
    private(set) var attempts = 0

    mutating func connected() { attempts = 0 }

    /// The wait before the next attempt; nil: there is none. `hint` is what the server asked for.
    mutating func wait(
        _ advice: CloseAdvice, hint: Duration? = nil, using generator: inout some RandomNumberGenerator
    ) -> Duration? {
        let ceiling = min(Self.first * (1 << min(attempts, 10)), Self.longest)
        let isFirst = attempts == 0
        switch advice {
        case .stop:
            return nil
        case .atOnce where isFirst:
            attempts += 1
            return .zero
        case .reconnect where isFirst && hint == nil:
            attempts += 1
            return Self.random(upTo: Self.first, using: &generator)
        case .backOff, .reconnect, .atOnce:
            attempts += 1
            let jitter = Self.random(upTo: ceiling, using: &generator)
            guard let hint else { return ceiling / 2 + jitter / 2 }
            // Never earlier than asked for.
            return hint + jitter
        }
    }

    private static func random(
        upTo limit: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let (seconds, attoseconds) = limit.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return .milliseconds(Int64.random(in: 0...max(1, milliseconds), using: &generator))
    }
}
