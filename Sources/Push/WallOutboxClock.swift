package import Contract
import Outbox

/// A clock with the time of the application that really waits.
package struct WallOutboxClock: OutboxClock {
    private static let origin = ContinuousClock.now

    package let time: CurrentTime

    package init(time: @escaping CurrentTime) {
        self.time = time
    }

    package func now() -> Timestamp { time() }

    func uptime() -> Duration { Self.uptime }

    package func sleep(for duration: Duration) async {
        if duration > .zero { try? await ContinuousClock().sleep(for: duration) }
    }

    /// The monotonic time since a fixed moment. It goes on while the machine is suspended, as the leases in
    /// the database do.
    static var uptime: Duration { origin.duration(to: .now) }
}
