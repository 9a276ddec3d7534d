import Contract
import Reactor

/// What time it is, for whatever waits: a clock whose instants are durations since it was taken into use.
struct ClientClock: Sendable {
    /// Since the origin; never goes back, and goes on while the machine is suspended.
    let now: @Sendable () -> Duration
    /// Until that long after the origin; throws where the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        now = { origin.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// The clock on the wall, for what people read.
    var wall: Timestamp { Timestamp(microseconds: WallClock.microseconds()) }
}
