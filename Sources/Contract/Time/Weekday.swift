/// A day of the week, in the order of ISO 8601.
public enum Weekday: Int, CaseIterable, Codable, Hashable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Reads the two letters of RFC 5545 §3.3.10, in capitals.
    public init?(code: String) {
        guard let index = Self.codes.firstIndex(of: code) else { return nil }
        self.init(rawValue: index)
    }

    /// The two letters of RFC 5545 §3.3.10.
    public var code: String { Self.codes[rawValue] }
}

extension Weekday: Comparable {
    public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}

// Arithmetic with days.

extension LocalDate {
    private static let numbers =
        CivilCalendar.dayNumber(
            year: 1, month: 1, day: 1)...CivilCalendar.dayNumber(
            year: 9999, month: 12, day: 31)

    /// The number of the day, counted from 1970-01-01.
    package var dayNumber: Int64 { CivilCalendar.dayNumber(year: year, month: month, day: day) }

    /// Makes the day with that number; stops at the first and at the last day that can be written.
    package init(clampingDayNumber number: Int64) {
        let number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound)
        let date = CivilCalendar.date(ofDay: number)
        (year, month, day) = (date.year, date.month, date.day)
    }

    /// Makes the day that contains the instant in UTC; stops at the first and at the last day that can be
    /// written.
    package init(utc instant: Timestamp) {
        let (quotient, rest) = instant.seconds.quotientAndRemainder(dividingBy: CivilCalendar.secondsPerDay)
        self.init(clampingDayNumber: rest < 0 ? quotient - 1 : quotient)
    }

    /// Returns the day that many days later, or earlier if negative; stops at the years 1 and 9999.
    public func adding(days: Int) -> LocalDate { LocalDate(clampingDayNumber: dayNumber + Int64(days)) }

    public var dayOfWeek: Weekday {
        // 1970-01-01 was a Thursday.
        let index = (dayNumber + 3) % 7
        return Weekday.allCases[Int(index < 0 ? index + 7 : index)]
    }
}
