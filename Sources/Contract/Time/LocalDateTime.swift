/// A date and a time of day without a time zone: `2027-03-28T02:30`.
public struct LocalDateTime: Hashable, Sendable {
    public let date: LocalDate
    public let hour: Int
    public let minute: Int
    public let second: Int

    /// Makes a local time; nil if it is not valid. A leap second is refused.
    public init?(date: LocalDate, hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        (self.date, self.hour, self.minute, self.second) = (date, hour, minute, second)
    }
}

extension LocalDateTime: Comparable {
    public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
        (left.date, left.hour, left.minute, left.second) < (
            right.date, right.hour, right.minute, right.second
        )
    }
}

extension LocalDateTime: LosslessStringConvertible {
    /// Reads exactly `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`.
    public init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" }
        guard parts.count == 2, let date = LocalDate(String(parts[0])), let time = LocalTime(String(parts[1]))
        else { return nil }
        self.init(date: date, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// The text; seconds are written only if they are not zero.
    public var description: String {
        String(asciiFrom: { bytes in
            LocalDate.append((date.year, date.month, date.day), to: &bytes)
            bytes.append(UInt8(ascii: "T"))
            LocalTime.append((hour, minute, second), to: &bytes)
        })
    }
}

extension LocalDateTime: TextValue {
    public static var form: String { "a local time like 2027-03-28T02:30" }
}
