import Contract
import Outbox

/// The clock of the application, and real waiting.
struct WallOutboxClock: OutboxClock {
    let time: @Sendable () -> Timestamp

    func now() -> Timestamp { time() }

    func sleep(for duration: Duration) async {
        if duration > .zero { try? await ContinuousClock().sleep(for: duration) }
    }
}
