import Contract

/// The words by which people say when a routine comes.
enum RoutineWords {
    static let forms: Text = "day, weekday, weekend, monday, \"mon,thu\" or week"

    /// Returns the rule for the words of `--every`: days of the week, or all of them.
    static func rule(
        every words: String, interval: Int?, count: String?, until: String?
    ) throws(Failure) -> RecurrenceRule {
        let (frequency, days) = try self.days(words)
        guard
            let rule = RecurrenceRule(
                frequency, interval: interval ?? 1, days: days, end: try end(count, until))
        else {
            throw .usage(
                "--interval takes a number from \(RecurrenceRule.intervals.lowerBound) to "
                    + "\(RecurrenceRule.intervals.upperBound).")
        }
        return rule
    }

    private static func days(
        _ words: String
    ) throws(Failure) -> (RecurrenceRule.Frequency, Set<Weekday>) {
        let all = Weekday.allCases
        switch words.lowercased() {
        case "day": return (.daily, [])
        case "week": return (.weekly, [])
        case "weekday", "workday": return (.weekly, Set(all.prefix(5)))
        case "weekend": return (.weekly, Set(all.suffix(2)))
        default: break
        }
        var days: Set<Weekday> = []
        for word in words.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }) {
            let matching = all.filter { word.count >= 2 && $0.name.hasPrefix(word) }
            guard matching.count == 1 else {
                throw .usage("\"\(SafeText.escape(words))\" is no answer to --every. It takes \(forms).")
            }
            days.insert(matching[0])
        }
        if days.isEmpty { throw .usage("--every takes \(forms).") }
        return (.weekly, days)
    }

    private static func end(_ count: String?, _ until: String?) throws(Failure) -> RecurrenceRule.End {
        switch (count, until) {
        case (nil, nil): return .never
        case (let count?, nil):
            guard let number = Int(count), RecurrenceRule.counts.contains(number) else {
                throw .usage(
                    "--count takes a number from \(RecurrenceRule.counts.lowerBound) to "
                        + "\(RecurrenceRule.counts.upperBound), and not \"\(SafeText.escape(count))\".")
            }
            return .count(number)
        case (nil, let until?): return .until(try date(until, "--until"))
        case (_?, _?): throw .usage("--count and --until exclude each other.")
        }
    }

    static func date(_ text: String, _ name: String) throws(Failure) -> LocalDate {
        guard let date = LocalDate(text) else {
            throw .usage("\(name) takes a day like 2027-03-28, and not \"\(SafeText.escape(text))\".")
        }
        return date
    }

    /// Reads `9:00` or `09:00`.
    static func time(_ text: String) throws(Failure) -> LocalTime {
        guard let time = LocalTime(text) ?? LocalTime("0" + text) else {
            throw .usage("--at takes a time of day like 09:00, and not \"\(SafeText.escape(text))\".")
        }
        return time
    }

    /// Returns the rule of the options, or nil if none of them is given.
    static func rule(_ arguments: ParsedArguments) throws(Failure) -> RecurrenceRule? {
        let (count, until) = (arguments.value("count"), arguments.value("until"))
        let interval = arguments.value("interval")
        if let text = arguments.value("rrule") {
            guard arguments.value("every") == nil, count == nil, until == nil, interval == nil else {
                throw .usage("--rrule says everything: leave --every, --interval, --count and --until out.")
            }
            do throws(ValidationError) { return try RecurrenceRule(text) } catch {
                throw .usage("--rrule: \(error.text)")
            }
        }
        guard let every = arguments.value("every") else {
            if count != nil || until != nil || interval != nil {
                throw .usage("Say --every too: \(forms).")
            }
            return nil
        }
        // Text that is no number is refused as out of bounds.
        return try rule(every: every, interval: interval.map { Int($0) ?? 0 }, count: count, until: until)
    }

    /// Returns a text such as `every Mon, Thu at 09:00 (Europe/Berlin), 10 times`.
    static func describe(_ routine: Routine) -> String {
        let rhythm: Text =
            "\(rhythm(routine)) at \(routine.localTime) (\(SafeText.escape(routine.timeZone)))"
        switch routine.rrule.end {
        case .never: return rhythm.local
        case .count(let count):
            return count == 1 ? local("\(rhythm), once") : local("\(rhythm), \(count) times")
        case .until(let date): return local("\(rhythm), until \(date)")
        }
    }

    private static func rhythm(_ routine: Routine) -> Text {
        let rule = routine.rrule
        var days = rule.days
        if days.isEmpty, rule.frequency == .weekly { days = [routine.startDate.dayOfWeek] }
        let names = days.map(\.shortName).joined(separator: ", ")
        return switch (rule.frequency, rule.interval) {
        case (.daily, 1) where days.isEmpty: "every day"
        case (.daily, let interval) where days.isEmpty: "every \(interval) days"
        case (_, 1): "every \(names)"
        case (.daily, let interval): "every \(interval) days on \(names)"
        case (.weekly, let interval): "every \(interval) weeks on \(names)"
        }
    }
}
