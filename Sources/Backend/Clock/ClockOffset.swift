import Contract

/// How far the database's clock is ahead of the monotonic clock of this machine, as measurements say.
struct ClockOffset: Equatable, Sendable {
    /// One question to the database for its time. `sent` and `received` are of the monotonic clock, in
    /// microseconds.
    struct Measurement: Equatable, Sendable {
        var sent: Int64
        var received: Int64
        var shown: Timestamp

        var roundTrip: Int64 { received - sent }

        /// As if the database had looked at its clock half-way.
        var offset: Int64 { shown.microseconds - (sent + roundTrip / 2) }
    }

    /// A measurement that took longer says too little, microseconds.
    static let longestRoundTrip: Int64 = 2_000_000
    /// Two measurements that differ by more contradict each other, microseconds.
    static let largestDifference: Int64 = 2_000_000

    /// Nil before the first measurement that counts.
    private(set) var microseconds: Int64?
    /// False while the latest measurement took too long, or contradicts the one before it.
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
            // An offset that the measurement does not disprove is kept: the clock does not tremble with the
            // network.
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
