import Contract
import Reactor
import Synchronization

/// A clock that shows the database's time, by which everything is due, whatever the clock of this machine
/// shows.
///
/// It adds the measured offset of the database's clock to a monotonic clock. While the database is
/// unreachable the last offset stays in use. Reading it takes no lock.
final class ReferenceClock: Sendable {
    private let monotonic: @Sendable () -> Int64
    private let offset: Atomic<Int64>
    private let certain = Atomic<Bool>(false)
    /// The instant of the last measurement by the monotonic clock; 0 before the first.
    private let measuredAt = Atomic<Int64>(0)
    private let measured = Lock(ClockOffset())

    /// Creates a clock that shows the time of the machine until the first measurement. `monotonic` counts
    /// microseconds.
    init(
        monotonic: @escaping @Sendable () -> Int64 = { Monotonic.sinceBoot() },
        machine: Timestamp = Timestamp(microseconds: WallClock.microseconds())
    ) {
        self.monotonic = monotonic
        offset = Atomic(machine.microseconds - monotonic())
    }

    func now() -> Timestamp { Timestamp(microseconds: monotonic() + offset.load(ordering: .relaxed)) }

    /// Whether the time is certain: not before the first measurement, while measurements take too long, or
    /// while two contradict each other. While it is uncertain, nothing that is due is done.
    var isCertain: Bool { certain.load(ordering: .relaxed) }

    /// The time since the last measurement; nil before the first.
    var measurementAge: Duration? {
        let last = measuredAt.load(ordering: .relaxed)
        return last == 0 ? nil : .microseconds(monotonic() - last)
    }

    /// The number of seconds by which the clock of this machine is ahead of the database's; negative if it is
    /// behind.
    var machineAheadSeconds: Double {
        Double(WallClock.microseconds() - now().microseconds) / 1e6
    }

    /// Adds a measurement. Returns whether the clock was set by more than a tenth of a second, or became
    /// certain or uncertain.
    @discardableResult
    func add(_ measurement: ClockOffset.Measurement) -> Bool {
        measuredAt.store(measurement.received, ordering: .relaxed)
        return measured.withLock { measured in
            measured.add(measurement)
            let wasCertain = certain.exchange(measured.isCertain, ordering: .relaxed)
            guard let now = measured.microseconds else { return wasCertain }
            let before = offset.exchange(now, ordering: .relaxed)
            return wasCertain != measured.isCertain || abs(now - before) > 100_000
        }
    }

    /// Queries the database's time, and again if the answer took long; returns the best measurement.
    func measure(
        _ databaseTime: () async throws -> Timestamp
    ) async throws -> ClockOffset.Measurement {
        var best = try await measureOnce(databaseTime)
        for _ in 1..<Self.attempts where best.roundTrip > Self.shortRoundTrip {
            let next = try await measureOnce(databaseTime)
            if next.roundTrip < best.roundTrip { best = next }
        }
        return best
    }

    private static let attempts = 3
    /// The round trip, in microseconds, below which a measurement is not repeated.
    private static let shortRoundTrip: Int64 = 10_000

    private func measureOnce(
        _ databaseTime: () async throws -> Timestamp
    ) async throws -> ClockOffset.Measurement {
        let sent = monotonic()
        let shown = try await databaseTime()
        return ClockOffset.Measurement(sent: sent, received: monotonic(), shown: shown)
    }
}
