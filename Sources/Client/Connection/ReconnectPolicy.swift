import Codecs
import Contract

/// The wait of a client before it reconnects: exponential back-off with full jitter, so that waits grow with
/// each failed attempt, and clients that were cut off together do not reconnect together.
struct ReconnectPolicy: Sendable {
    /// The longest first wait.
    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(30)
    private static let backoff = Backoff(first: first, longest: longest, jitter: 0...1)
    /// The duration of a connection after which waits begin again.
    static let stable = Duration.seconds(10)
    /// The most immediate reconnections in a row; more are a loop, and the client waits.
    static let turns = 3

    /// The number of attempts since the last stable connection.
    private(set) var attempts = 0
    private var turnsTaken = 0
    private var connectedSince: Duration?
    private var wasOfUse = false

    /// Whether the current connection has lasted.
    func isStable(at now: Duration) -> Bool { connectedSince.map { now - $0 >= Self.stable } ?? false }

    mutating func connected(at now: Duration) { connectedSince = now }

    /// Records that something other than the handshake arrived on the connection.
    mutating func heard() { wasOfUse = true }

    mutating func disconnected(at now: Duration) {
        guard connectedSince != nil else { return }
        if isStable(at: now) {
            attempts = 0
            turnsTaken = 0
        } else if wasOfUse {
            // The next wait is half as long as the last one, not twice as long.
            attempts = max(0, attempts - 2)
        }
        connectedSince = nil
        wasOfUse = false
    }

    /// Returns the wait before the next attempt; nil if there is none. `hint` is the wait that the server
    /// asked for.
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
            attempts += 1
            // The wait is never shorter than the server asked for.
            return (hint ?? .zero) + Self.backoff.delay(afterFailures: attempts, using: &generator)
        }
    }
}
