/// A date and a time of day without a time zone: `2027-03-28T02:30`.
public struct LocalDateTime: Hashable, Sendable {
    public let date: LocalDate
    /// The time of day.
    public let time: LocalTime
    public var hour: Int { time.hour }
    public var minute: Int { time.minute }
    public var second: Int { time.second }

    /// Makes a local time; nil if it is not valid. A leap second is refused.
    public init?(date: LocalDate, hour: Int, minute: Int, second: Int = 0) {
        guard let time = LocalTime(hour: hour, minute: minute, second: second) else { return nil }
        (self.date, self.time) = (date, time)
    }
}

extension LocalDateTime: Comparable {
    public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
        (left.date, left.time) < (right.date, right.time)
    }
}

extension LocalDateTime: LosslessStringConvertible, TextValue {
    public static var form: String { "a local time like 2027-03-28T02:30" }

    /// Reads exactly `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`.
    public init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" }
        guard parts.count == 2, let date = LocalDate(String(parts[0])), let time = LocalTime(String(parts[1]))
        else { return nil }
        (self.date, self.time) = (date, time)
    }

    /// The text; seconds are written only if they are not zero.
    public var description: String { "\(date)T\(time)" }
}
