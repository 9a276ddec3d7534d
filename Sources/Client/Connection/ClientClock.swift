import Contract
import Reactor

/// The clock for all waits. Its instants are durations since the clock was made.
struct ClientClock: Sendable {
    /// Returns the current instant; never goes back, and goes on while the machine is suspended.
    let now: @Sendable () -> Duration
    /// Sleeps until an instant; throws if the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        now = { origin.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// The wall-clock time, for people.
    var wall: Timestamp { Timestamp(microseconds: WallClock.microseconds()) }
}
