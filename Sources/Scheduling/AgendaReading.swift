import Contract

/// The times at which the agenda is read from the database: at the start, once a minute, and when it may be
/// out of date.
struct AgendaReading {
    private static let interval = Duration.seconds(60)

    private var lastRead: Timestamp?
    private var retry = Retry()
    private var isReading = false

    func isDue(at now: Timestamp) -> Bool {
        if isReading { return false }
        if let lastRead, now < lastRead.adding(Self.interval), now >= lastRead { return false }
        return retry.notBefore(now, at: now) <= now
    }

    /// Returns the instant of the next reading; nil while one is under way.
    func nextInstant(at now: Timestamp) -> Timestamp? {
        if isReading { return nil }
        return retry.notBefore(lastRead?.adding(Self.interval) ?? now, at: now)
    }

    /// Notes that a reading begins. A call of `outdate` from now on asks for another one.
    mutating func begin(at now: Timestamp) {
        isReading = true
        lastRead = now
    }

    mutating func succeeded() {
        retry.succeed()
        isReading = false
    }

    /// Returns the number of failures in a row.
    mutating func failed(at now: Timestamp) -> Int {
        retry.fail(at: now)
        isReading = false
        lastRead = nil
        return retry.failures
    }

    /// Makes a reading due, since change events may have been lost.
    mutating func outdate() { lastRead = nil }

    mutating func hasten() { retry.hasten() }
}
