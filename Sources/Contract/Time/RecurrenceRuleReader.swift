/// A reader of the text of a recurrence rule. A part that is not supported is refused by its name.
struct RecurrenceRuleReader {
    static let longest = 200

    private static let supported: Text = "a rule has FREQ, INTERVAL, BYDAY, WKST, and COUNT or UNTIL"
    private static let others: Set<String> = [
        "BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS",
        "RSCALE", "SKIP",
    ]

    private var frequency: RecurrenceRule.Frequency?
    private var interval = 1
    private var days: Set<Weekday> = []
    private var count: Int?
    private var until: LocalDate?
    private var weekStart = Weekday.monday
    private var seen: Set<String> = []

    /// Reads the whole text.
    mutating func read(_ text: String) throws(ValidationError) -> RecurrenceRule {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError(
                "A rule has at most \(Self.longest) characters, none of them a space: like "
                    + "FREQ=WEEKLY;BYDAY=MO,FR.")
        }
        for part in text.uppercased().split(separator: ";", omittingEmptySubsequences: false) {
            try read(part: part)
        }
        guard let frequency else {
            throw ValidationError("FREQ is missing: a rule begins with FREQ=DAILY or FREQ=WEEKLY.")
        }
        let end: RecurrenceRule.End =
            switch (count, until) {
            case (let count?, nil): .count(count)
            case (nil, let until?): .until(until)
            case (nil, nil): .never
            case (_?, _?): throw ValidationError("COUNT and UNTIL exclude each other: leave one out.")
            }
        guard
            let rule = RecurrenceRule(
                frequency, interval: interval, days: days, end: end, weekStart: weekStart)
        else { throw ValidationError("The rule is out of bounds.") }
        return rule
    }

    private mutating func read(part: Substring) throws(ValidationError) {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[1].isEmpty, sides[0].utf8.allSatisfy(Self.isOfName) else {
            throw ValidationError("A rule has parts like FREQ=DAILY, separated by semicolons.")
        }
        let (name, value) = (String(sides[0]), String(sides[1]))
        guard seen.insert(name).inserted else { throw ValidationError("\(name) is there twice.") }
        switch name {
        case "FREQ": frequency = try Self.frequency(value)
        case "INTERVAL": interval = try Self.number(value, name, RecurrenceRule.intervals)
        case "COUNT": count = try Self.number(value, name, RecurrenceRule.counts)
        case "UNTIL": until = try Self.day(value)
        case "BYDAY": days = try Self.weekdays(value)
        case "WKST":
            guard let day = Weekday(code: value) else {
                throw ValidationError("WKST is one of MO, TU, WE, TH, FR, SA and SU.")
            }
            weekStart = day
        case "EXDATE", "RDATE", "DTSTART", "EXRULE":
            throw ValidationError(
                "\(name) is no part of a rule. Days that are left out stand in exdates, and the first one in "
                    + "startDate.")
        case _ where Self.others.contains(name):
            throw ValidationError("\(name) is not supported: \(Self.supported).")
        default:
            throw ValidationError("There is no part \(name.prefix(20)): \(Self.supported).")
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
    }

    private static func frequency(_ value: String) throws(ValidationError) -> RecurrenceRule.Frequency {
        if let frequency = RecurrenceRule.Frequency(rawValue: value) { return frequency }
        guard ["SECONDLY", "MINUTELY", "HOURLY", "MONTHLY", "YEARLY"].contains(value) else {
            throw ValidationError("FREQ is DAILY or WEEKLY.")
        }
        throw ValidationError("FREQ=\(value) is not supported: FREQ is DAILY or WEEKLY.")
    }

    private static func number(
        _ value: String, _ name: String, _ bounds: ClosedRange<Int>
    ) throws(ValidationError) -> Int {
        guard value.utf8.count <= 9, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(value), bounds.contains(number)
        else {
            throw ValidationError(
                "\(name) is a number from \(bounds.lowerBound) to \(bounds.upperBound).")
        }
        return number
    }

    private static func day(_ value: String) throws(ValidationError) -> LocalDate {
        var reader = DigitReader(value)
        guard let year = reader.number(4), let month = reader.number(2), let day = reader.number(2),
            reader.isAtEnd, let date = LocalDate(year: year, month: month, day: day)
        else {
            throw ValidationError(
                "UNTIL is the last day, without a time, like UNTIL=20270331: it is a local day.")
        }
        return date
    }

    private static func weekdays(_ value: String) throws(ValidationError) -> Set<Weekday> {
        var days: Set<Weekday> = []
        for code in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let day = Weekday(code: String(code)) else {
                throw ValidationError(
                    Weekday(code: String(code.suffix(2))) != nil
                        ? "BYDAY=\(code.prefix(8)) is not supported: numbers before a day are for months."
                        : "BYDAY has days of the week, separated by commas: MO, TU, WE, TH, FR, SA or SU.")
            }
            guard days.insert(day).inserted else {
                throw ValidationError("BYDAY has \(code) twice.")
            }
        }
        return days
    }
}

extension RecurrenceRule {
    /// Reads the text of a rule, such as `FREQ=WEEKLY;BYDAY=MO`. Case and the order of its parts do not
    /// matter. Throws an error that names a wrong or unsupported part.
    public init(_ text: String) throws(ValidationError) {
        var reader = RecurrenceRuleReader()
        self = try reader.read(text)
    }
}
