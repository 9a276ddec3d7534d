import Contract

/// The measured offset of the database's clock from the monotonic clock of this machine.
struct ClockOffset: Equatable, Sendable {
    /// One query of the database's time. `sent` and `received` are of the monotonic clock, in microseconds.
    struct Measurement: Equatable, Sendable {
        var sent: Int64
        var received: Int64
        var shown: Timestamp

        var roundTrip: Int64 { received - sent }

        /// The offset, if the database read its clock half-way.
        var offset: Int64 { shown.microseconds - (sent + roundTrip / 2) }
    }

    /// The longest round trip of a measurement that counts, in microseconds.
    static let longestRoundTrip: Int64 = 2_000_000
    /// The largest difference of two measurements that do not contradict each other, in microseconds.
    static let largestDifference: Int64 = 2_000_000

    /// The offset; nil before the first measurement that counts.
    private(set) var microseconds: Int64?
    /// Whether the latest measurement was short enough, and does not contradict the one before it.
    private(set) var isCertain = false
    /// The latest offset that contradicts the known one, until a second measurement confirms it.
    private var contradiction: Int64?

    init() {}

    mutating func add(_ measurement: Measurement) {
        guard (0...Self.longestRoundTrip).contains(measurement.roundTrip) else {
            isCertain = false
            return
        }
        guard let known = microseconds else { return adopt(measurement.offset) }
        let difference = abs(measurement.offset - known)
        if difference <= Self.largestDifference {
            // An offset that the measurement does not disprove is kept, so that network jitter does not move
            // the clock.
            return adopt(difference > measurement.roundTrip / 2 ? measurement.offset : known)
        }
        if let contradiction, abs(measurement.offset - contradiction) <= Self.largestDifference {
            return adopt(measurement.offset)
        }
        contradiction = measurement.offset
        isCertain = false
    }

    private mutating func adopt(_ offset: Int64) {
        microseconds = offset
        contradiction = nil
        isCertain = true
    }
}
