import Contract
import Reactor
import Synchronization

/// The time as the database has it, by which everything is due, whatever the clock of this machine shows.
///
/// It is a clock that nobody sets, and its measured distance to the clock of the database. While the database
/// is away the last distance goes on. To read it takes no lock.
final class ReferenceClock: Sendable {
    private let monotonic: @Sendable () -> Int64
    private let offset: Atomic<Int64>
    private let certain = Atomic<Bool>(false)
    private let measured = Lock(ClockOffset())

    /// `monotonic` counts microseconds. Before the first measurement the clock shows the time of the machine.
    init(
        monotonic: @escaping @Sendable () -> Int64 = { Monotonic.sinceBoot() },
        machine: Timestamp = Timestamp(microseconds: WallClock.microseconds())
    ) {
        self.monotonic = monotonic
        offset = Atomic(machine.microseconds - monotonic())
    }

    func now() -> Timestamp { Timestamp(microseconds: monotonic() + offset.load(ordering: .relaxed)) }

    /// False before the first measurement, while measurements take too long, and while two contradict each
    /// other: then nothing that is due is done.
    var isCertain: Bool { certain.load(ordering: .relaxed) }

    /// How far the clock of this machine is ahead of the database's. Negative: it is behind.
    var machineAheadSeconds: Double {
        Double(WallClock.microseconds() - now().microseconds) / 1e6
    }

    /// Answers whether the clock was set by more than a tenth of a second, or became certain or uncertain.
    @discardableResult
    func add(_ measurement: ClockOffset.Measurement) -> Bool {
        measured.withLock { measured in
            measured.add(measurement)
            let wasCertain = certain.exchange(measured.isCertain, ordering: .relaxed)
            guard let now = measured.microseconds else { return wasCertain }
            let before = offset.exchange(now, ordering: .relaxed)
            return wasCertain != measured.isCertain || abs(now - before) > 100_000
        }
    }

    /// Asks for the database's time, and again where the answer took long; the best measurement counts.
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
    /// Microseconds.
    private static let shortRoundTrip: Int64 = 10_000

    private func measureOnce(
        _ databaseTime: () async throws -> Timestamp
    ) async throws -> ClockOffset.Measurement {
        let sent = monotonic()
        let shown = try await databaseTime()
        return ClockOffset.Measurement(sent: sent, received: monotonic(), shown: shown)
    }
}
