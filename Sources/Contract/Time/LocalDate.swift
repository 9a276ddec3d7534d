/// A calendar day without a time zone: `2027-03-28`.
public struct LocalDate: Hashable, Sendable {
    /// The year, 1 to 9999.
    public let year: Int
    public let month: Int
    public let day: Int

    /// Makes a date; nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard year >= 1, CivilCalendar.isValid(year: year, month: month, day: day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Appends ten bytes, for which there has to be room.
    static func append(_ date: (year: Int, month: Int, day: Int), to bytes: inout OutputSpan<UInt8>) {
        bytes.append(date.year, width: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(date.month, width: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(date.day, width: 2)
    }
}

extension LocalDate: Comparable {
    public static func < (left: LocalDate, right: LocalDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension LocalDate: LosslessStringConvertible, TextValue {
    public static var form: String { "a date like 2027-03-28" }

    /// Reads exactly `YYYY-MM-DD`, a day that exists.
    public init?(_ text: String) {
        var reader = DigitReader(text)
        guard let date = reader.date(), reader.isAtEnd else { return nil }
        self.init(year: date.year, month: date.month, day: date.day)
    }

    public var description: String {
        String(asciiFrom: { bytes in
            bytes.append(addingCapacity: 10) { Self.append((year, month, day), to: &$0) }
        })
    }
}
