import Contract
import Reactor

/// Slots in a row, and how long before the start of each its rooms open. All numbers are seconds, instants
/// those since 1970.
struct MeasuredSlots {
    private static let hour = 3600

    var start: Int
    let length: Int
    private(set) var lead: Int
    var count = 1

    init(first start: Int, length: Int, lead: Int, count: Int) {
        (self.start, self.length, self.lead, self.count) = (start, length, lead, count)
    }

    /// The first slots of the length whose rooms open after so many seconds or later.
    init(opensAfter seconds: Int, length: Int, lead: Int, count: Int = 1, now: Int = WallClock.seconds()) {
        self.init(
            first: (now + seconds + lead) / length * length + length, length: length, lead: lead, count: count
        )
    }

    /// The first slot of an hour that may open an hour ahead, and yet after so many seconds or later.
    init(hourAfter seconds: Int, now: Int = WallClock.seconds()) {
        self.init(opensAfter: seconds + 5, length: Self.hour, lead: 0, now: now)
    }

    /// The instant at which the rooms of the first slot open.
    var due: Int { start - lead }

    /// Chooses a lead such that the rooms open after so many seconds, at the earliest a slot's length ahead.
    mutating func open(after seconds: Int, now: Int = WallClock.seconds()) {
        lead = start - max(now + seconds, start - length)
    }

    var starts: [Int] { (0..<count).map { start + $0 * length } }

    var timestamps: [Timestamp] { starts.map { Timestamp(seconds: Int64($0)) } }

    /// Returns the instant as in RFC 3339.
    static func text(_ instant: Int) -> String { Timestamp(seconds: Int64(instant)).description }

    /// Sleeps until the instant.
    static func wait(until instant: Int) async throws {
        let left = Timestamp(seconds: Int64(instant)).since(Timestamp(microseconds: WallClock.microseconds()))
        try await ContinuousClock().sleep(for: max(.zero, left))
    }
}
