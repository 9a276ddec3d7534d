extension Timestamp: LosslessStringConvertible, TextValue {
    public static var form: String { "a time as in RFC 3339" }

    /// Reads `2027-03-28T02:30:00.5+01:00`, strictly as in RFC 3339 §5.6.
    ///
    /// The offset is required; `t` and `z` may be in lower case. The day has to exist. A fraction is cut off
    /// after the microsecond. A leap second (`:60`) is refused: a count of seconds since 1970 cannot express
    /// it. The instant has to be within the years 0000 to 9999 in UTC, so that it can be written again.
    public init?(_ text: String) {
        var reader = DigitReader(text)
        guard let date = reader.date(), reader.take(UInt8(ascii: "T"), UInt8(ascii: "t")) != nil,
            let hour = reader.pair(0..<24), reader.take(UInt8(ascii: ":")) != nil,
            let minute = reader.pair(0..<60), reader.take(UInt8(ascii: ":")) != nil,
            let second = reader.pair(0..<60),
            let fraction = Self.fraction(&reader),
            let offset = Self.offsetSeconds(&reader), reader.isAtEnd
        else { return nil }
        let day = CivilCalendar.dayNumber(year: date.year, month: date.month, day: date.day)
        let local = day * CivilCalendar.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
        microseconds = (local - offset) * 1_000_000 + fraction
        guard Self.writable.contains(self) else { return nil }
    }

    public var description: String {
        String(asciiFrom: append)
    }

    /// Appends `2027-03-28T01:30:00Z`, with three or six digits of a fraction if there is one. Instants
    /// outside the years 0000 to 9999 are written as the nearest bound.
    public func append(to bytes: inout [UInt8]) {
        let instant = min(max(self, Self.writable.lowerBound), Self.writable.upperBound)
        let seconds = instant.seconds
        let fraction = Int(instant.microseconds - seconds * 1_000_000)
        var day = seconds / CivilCalendar.secondsPerDay
        if seconds % CivilCalendar.secondsPerDay < 0 { day -= 1 }
        let secondOfDay = Int(seconds - day * CivilCalendar.secondsPerDay)
        let date = CivilCalendar.date(ofDay: day)

        bytes.append(addingCapacity: 27) { text in
            LocalDate.append(date, to: &text)
            text.append(UInt8(ascii: "T"))
            text.append(secondOfDay / 3600, width: 2)
            text.append(UInt8(ascii: ":"))
            text.append(secondOfDay / 60 % 60, width: 2)
            text.append(UInt8(ascii: ":"))
            text.append(secondOfDay % 60, width: 2)
            if fraction != 0 {
                text.append(UInt8(ascii: "."))
                let isWholeMilliseconds = fraction % 1000 == 0
                text.append(
                    isWholeMilliseconds ? fraction / 1000 : fraction, width: isWholeMilliseconds ? 3 : 6)
            }
            text.append(UInt8(ascii: "Z"))
        }
    }

    /// The instants of the years 0000 to 9999.
    private static let writable =
        Timestamp(microseconds: -62_167_219_200_000_000)...Timestamp(microseconds: 253_402_300_799_999_999)

    /// Returns the microseconds after the point; 0 if there is no point.
    private static func fraction(_ reader: inout DigitReader) -> Int64? {
        guard reader.take(UInt8(ascii: ".")) != nil else { return 0 }
        guard let first = reader.digit() else { return nil }
        var unit: Int64 = 100_000
        var value = Int64(first) * unit
        while let digit = reader.digit() {
            unit /= 10
            value += Int64(digit) * unit
        }
        return value
    }

    /// Returns the offset in seconds east of UTC.
    private static func offsetSeconds(_ reader: inout DigitReader) -> Int64? {
        if reader.take(UInt8(ascii: "Z"), UInt8(ascii: "z")) != nil { return 0 }
        guard let sign = reader.take(UInt8(ascii: "+"), UInt8(ascii: "-")),
            let hours = reader.pair(0..<24), reader.take(UInt8(ascii: ":")) != nil,
            let minutes = reader.pair(0..<60)
        else { return nil }
        let seconds = Int64(hours * 3600 + minutes * 60)
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
