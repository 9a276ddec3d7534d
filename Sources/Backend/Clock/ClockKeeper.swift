import Contract
import Database
import Logging
import Postgres
import Reactor

/// Measures the reference clock periodically, so that it follows the clock of the database, whichever of the
/// two clocks is set or drifts.
struct ClockKeeper: Sendable {
    /// The interval while a slot is open, or something is due soon.
    private static let interval = Duration.seconds(10)
    private static let idleInterval = Duration.seconds(60)
    /// The time before something is due at which the clock is measured.
    private static let ahead = Duration.seconds(20)
    /// The pause after a measurement that failed or was too inexact.
    private static let retryInterval = Duration.seconds(1)

    private static let largestMachineOffset = 1.0

    let clock: ReferenceClock
    let measure: @Sendable () async throws -> ClockOffset.Measurement
    /// Returns the time until something is due; nil if nothing is planned.
    let idleTime: @Sendable () async -> Duration?
    /// Called when the clock was set, or has become certain or uncertain.
    let changed: @Sendable () async -> Void
    let sleep: @Sendable (Duration) async throws -> Void

    /// Measures until the task is cancelled.
    func run() async {
        var isMachineWrong = false
        while !Task.isCancelled {
            var pause = Self.retryInterval
            do {
                let measurement = try await measure()
                if clock.add(measurement) { await tell(measurement) }
                warnOfMachine(&isMachineWrong)
                if clock.isCertain {
                    let idle = await idleTime().map { $0 - Self.ahead } ?? Self.idleInterval
                    pause = max(Self.interval, min(idle, Self.idleInterval))
                }
            } catch {
                // The last measurement stays in use. Other users of the database log that it is unreachable.
            }
            try? await sleep(pause)
        }
    }

    /// Logs a warning if the machine's clock is wrong, once until it is right again.
    private func warnOfMachine(_ isWrong: inout Bool) {
        let ahead = clock.machineAheadSeconds
        let wasWrong = isWrong
        isWrong = abs(ahead) > Self.largestMachineOffset
        guard isWrong, !wasWrong else { return }
        Log.warning(
            "this machine's clock differs from the database's, which counts: only the log has the "
                + "machine's time",
            ["aheadSeconds": ahead])
    }

    private func tell(_ measurement: ClockOffset.Measurement) async {
        if !clock.isCertain {
            Log.warning(
                "the time of the database is uncertain: nothing is opened or closed until it is known",
                ["roundTripMilliseconds": measurement.roundTrip / 1000])
        }
        await changed()
    }
}

extension ReferenceClock {
    /// Measures on a connection of the pool. The wait for a connection does not count.
    func measure(on pool: PostgresPool) async throws -> ClockOffset.Measurement {
        try await pool.withConnection { connection in
            try await measure { try await DatabaseTime.read(on: connection) }
        }
    }

    /// Returns when the time of the database is known.
    func begin(on pool: PostgresPool) async throws {
        while !isCertain { add(try await measure(on: pool)) }
    }
}
