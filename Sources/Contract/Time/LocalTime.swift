/// A time of day without a date and a time zone: `09:00`.
public struct LocalTime: Hashable, Sendable {
    public let hour: Int
    public let minute: Int
    public let second: Int

    /// Makes a time; nil if it is not valid. A leap second is refused.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// Returns the local time on a day.
    package func on(_ date: LocalDate) -> LocalDateTime? {
        LocalDateTime(date: date, hour: hour, minute: minute, second: second)
    }
}

extension LocalTime: Comparable {
    /// Orders times within one day, from 00:00 on.
    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        (left.hour, left.minute, left.second) < (right.hour, right.minute, right.second)
    }
}

extension LocalTime: LosslessStringConvertible, TextValue {
    public static var form: String { "a time of day like 09:00" }

    /// Reads exactly `HH:MM` or `HH:MM:SS`.
    public init?(_ text: String) {
        var reader = DigitReader(text)
        guard let hour = reader.pair(0..<24), reader.take(UInt8(ascii: ":")) != nil,
            let minute = reader.pair(0..<60)
        else { return nil }
        var second = 0
        if !reader.isAtEnd {
            guard reader.take(UInt8(ascii: ":")) != nil, let value = reader.pair(0..<60), reader.isAtEnd
            else { return nil }
            second = value
        }
        self.init(hour: hour, minute: minute, second: second)
    }

    /// The text; seconds are written only if they are not zero.
    public var description: String {
        String(asciiFrom: { bytes in
            bytes.append(hour, width: 2)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(minute, width: 2)
            if second != 0 {
                bytes.append(UInt8(ascii: ":"))
                bytes.append(second, width: 2)
            }
        })
    }
}
