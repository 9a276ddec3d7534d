/// A rule for recurring days: a subset of the recurrence rules of RFC 5545 §3.3.10.
///
/// It has local days, without a time of day. The start is an occurrence only if the rule matches it. COUNT
/// includes skipped days.
public struct RecurrenceRule: Hashable, Sendable {
    /// The unit of the interval.
    public enum Frequency: String, Hashable, Sendable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
    }

    /// The end of a rule.
    public enum End: Hashable, Sendable {
        case never
        /// The number of occurrences, skipped days included.
        case count(Int)
        /// The last possible day.
        case until(LocalDate)
    }

    /// The permitted values of INTERVAL.
    public static let intervals = 1...366
    /// The permitted values of COUNT.
    public static let counts = 1...10_000
    /// The days within which each rule that has a day has one.
    package static let farthest = 366 * 80

    public let frequency: Frequency
    /// The number of days or weeks from one occurrence to the next.
    public let interval: Int
    /// The days of the week, in their order. Empty for every day, or with `weekly` for the weekday of the
    /// start.
    public let days: [Weekday]
    public let end: End
    /// The first day of a week, for an interval of weeks.
    public let weekStart: Weekday

    /// Makes a rule; nil if the interval is not in `intervals`, or the count not in `counts`.
    public init?(
        _ frequency: Frequency, interval: Int = 1, days: Set<Weekday> = [], end: End = .never,
        weekStart: Weekday = .monday
    ) {
        guard Self.intervals.contains(interval) else { return nil }
        if case .count(let count) = end, !Self.counts.contains(count) { return nil }
        self.frequency = frequency
        self.interval = interval
        self.days = days.sorted()
        self.end = end
        self.weekStart = weekStart
    }

    /// Returns the days of the rule from `since` to `through`, in their order, at most `limit`. Intervals and
    /// the count begin at `start`, the first possible day.
    public func dates(
        from start: LocalDate, since: LocalDate, through: LocalDate, limit: Int = .max
    ) -> [LocalDate] {
        let first = start.dayNumber
        var last = through.dayNumber
        if case .until(let day) = end { last = min(last, day.dayNumber) }
        var left = Int.max
        var number = max(first, since.dayNumber)
        if case .count(let count) = end {
            // The days before `since` count too.
            left = count
            number = first
        }
        let weekdays = days.isEmpty && frequency == .weekly ? [start.dayOfWeek] : days
        var dates: [LocalDate] = []
        while number <= last, left > 0, dates.count < limit {
            let date = LocalDate(clampingDayNumber: number)
            if has(date, weekdays, countedFrom: first) {
                left -= 1
                if date >= since { dates.append(date) }
            }
            number = next(after: number, countedFrom: first)
        }
        return dates
    }

    /// Returns the first day from `day` on that the rule has, counted from `start` and without its end.
    package func first(onOrAfter day: LocalDate, from start: LocalDate) -> LocalDate? {
        RecurrenceRule(frequency, interval: interval, days: Set(days), weekStart: weekStart)?
            .dates(from: start, since: day, through: day.adding(days: Self.farthest), limit: 1).first
    }

    /// Returns the first day after that one that the interval allows: a rule may have one day in seven years,
    /// and is asked for the days of eighty. The day is not before the first of all.
    private func next(after number: Int64, countedFrom first: Int64) -> Int64 {
        let (following, every) = (number + 1, Int64(interval))
        switch frequency {
        case .daily:
            let rest = (following - first) % every
            return rest == 0 ? following : following + every - rest
        case .weekly:
            let week = week(of: following)
            let rest = (week - self.week(of: first)) % every
            return rest == 0 ? following : (week + every - rest) * 7 - 3 + Int64(weekStart.rawValue)
        }
    }

    private func has(_ date: LocalDate, _ weekdays: [Weekday], countedFrom first: Int64) -> Bool {
        guard weekdays.isEmpty || weekdays.contains(date.dayOfWeek) else { return false }
        switch frequency {
        case .daily: return (date.dayNumber - first) % Int64(interval) == 0
        case .weekly: return (week(of: date.dayNumber) - week(of: first)) % Int64(interval) == 0
        }
    }

    /// Returns the number of the week of a day.
    private func week(of day: Int64) -> Int64 {
        let shifted = day + 3 - Int64(weekStart.rawValue)
        return shifted >= 0 ? shifted / 7 : (shifted - 6) / 7
    }
}

extension RecurrenceRule: TextValue {
    public static var form: String { "a rule like FREQ=WEEKLY;BYDAY=MO" }

    public static func read(text: String) -> RecurrenceRule? { try? RecurrenceRule(text) }

    /// The text as in RFC 5545, without parts that have their default.
    public var description: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        if !days.isEmpty { parts.append("BYDAY=\(days.map(\.code).joined(separator: ","))") }
        switch end {
        case .never: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .until(let date):
            parts.append("UNTIL=\(date.description.filter { $0 != "-" })")
        }
        if weekStart != .monday { parts.append("WKST=\(weekStart.code)") }
        return parts.joined(separator: ";")
    }
}
