import Codecs
import Testing

@testable import Contract

@Suite("A recurrence rule")
struct RecurrenceRuleTests {
    @Test(
        "is read in either case, its parts in any order, and written in one way",
        arguments: [
            ("FREQ=DAILY", "FREQ=DAILY"), ("freq=weekly;byday=fr,mo", "FREQ=WEEKLY;BYDAY=MO,FR"),
            ("COUNT=3;FREQ=DAILY;INTERVAL=1", "FREQ=DAILY;COUNT=3"),
            ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=2", "FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR"),
            ("WKST=SU;UNTIL=20270331;FREQ=WEEKLY", "FREQ=WEEKLY;UNTIL=20270331;WKST=SU"),
            ("FREQ=WEEKLY;WKST=MO", "FREQ=WEEKLY"),
            ("FREQ=WEEKLY;INTERVAL=366;COUNT=10000", "FREQ=WEEKLY;INTERVAL=366;COUNT=10000"),
        ])
    func reads(_ text: String, written: String) throws {
        let rule = try RecurrenceRule(text)
        #expect(rule.description == written)
        #expect(try RecurrenceRule(written) == rule)
    }

    @Test(
        "that has what is not supported is refused by the name of the part",
        arguments: [
            ("", "FREQ=DAILY"), (";", "FREQ=DAILY"), ("FREQ", "FREQ=DAILY"), ("FREQ=", "FREQ=DAILY"),
            ("INTERVAL=2", "FREQ is missing"), ("FREQ=MONTHLY", "FREQ=MONTHLY is not supported"),
            ("FREQ=YEARLY;BYMONTH=1", "FREQ=YEARLY is not supported"), ("FREQ=OFTEN", "FREQ is DAILY"),
            ("FREQ=DAILY;BYMONTH=3", "BYMONTH is not supported"),
            ("FREQ=DAILY;BYHOUR=9", "BYHOUR is not supported"),
            ("FREQ=WEEKLY;BYSETPOS=1", "BYSETPOS is not supported"),
            ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY=1MO is not supported"),
            ("FREQ=WEEKLY;BYDAY=MO,,TU", "BYDAY has days"), ("FREQ=WEEKLY;BYDAY=MO,MO", "MO twice"),
            ("FREQ=WEEKLY;WKST=XX", "WKST"), ("FREQ=DAILY;FREQ=DAILY", "FREQ is there twice"),
            ("FREQ=DAILY;INTERVAL=0", "INTERVAL"), ("FREQ=DAILY;INTERVAL=367", "INTERVAL"),
            ("FREQ=DAILY;INTERVAL=-1", "INTERVAL"), ("FREQ=DAILY;INTERVAL=99999999999999999999", "INTERVAL"),
            ("FREQ=DAILY;COUNT=0", "COUNT"), ("FREQ=DAILY;COUNT=10001", "COUNT"),
            ("FREQ=DAILY;COUNT=+1", "COUNT"), ("FREQ=DAILY;COUNT=1;UNTIL=20270331", "exclude"),
            ("FREQ=DAILY;UNTIL=20270331T090000Z", "UNTIL"), ("FREQ=DAILY;UNTIL=20270229", "UNTIL"),
            ("FREQ=DAILY;UNTIL=2027-03-31", "UNTIL"), ("FREQ=DAILY;EXDATE=20270331", "exdates"),
            ("FREQ=DAILY;X-NAME=1", "no part X-NAME"), ("RRULE:FREQ=DAILY", "parts like"),
            ("FREQ=DAILY; COUNT=1", "space"), ("FREQ=DAILY\n", "space"), ("FREQ=DÄILY", "space"),
            (String(repeating: "A", count: 201), "200"),
        ])
    func refuses(_ text: String, naming part: String) {
        let error = #expect(throws: ValidationError.self) { try RecurrenceRule(text) }
        #expect(error?.detail.contains(part) == true, "\(error?.detail ?? "")")
    }

    // The examples of RFC 5545 §3.8.5.3 that the subset can say.
    @Test(
        "has the days of the examples of RFC 5545",
        arguments: [
            ("FREQ=DAILY;COUNT=3", "1997-09-02", ["1997-09-02", "1997-09-03", "1997-09-04"]),
            ("FREQ=DAILY;INTERVAL=10;COUNT=3", "1997-09-02", ["1997-09-02", "1997-09-12", "1997-09-22"]),
            ("FREQ=DAILY;UNTIL=19970904", "1997-09-02", ["1997-09-02", "1997-09-03", "1997-09-04"]),
            ("FREQ=WEEKLY;COUNT=3", "1997-09-02", ["1997-09-02", "1997-09-09", "1997-09-16"]),
            (
                "FREQ=WEEKLY;COUNT=4;WKST=SU;BYDAY=TU,TH", "1997-09-02",
                ["1997-09-02", "1997-09-04", "1997-09-09", "1997-09-11"]
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05",
                ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"]
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05",
                ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"]
            ),
        ])
    func examples(_ text: String, start: String, days: [String]) throws {
        let start = try #require(LocalDate(start))
        let found = try RecurrenceRule(text).dates(
            from: start, since: start, through: start.adding(days: 100))
        #expect(found.map(\.description) == days)
    }

    @Test("has the days that a plain walk over weeks finds, in any window")
    func property() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let start = try #require(LocalDate(year: 2027, month: 1, day: 1))
                .adding(days: Int.random(in: -800...800, using: &random))
            let rule = try #require(Self.rule(from: start, using: &random))
            #expect(try RecurrenceRule(rule.description) == rule, "seed \(seed)")
            let through = start.adding(days: 400)
            let all = Self.walk(rule, from: start, through: through)
            let since = start.adding(days: Int.random(in: -10...400, using: &random))
            let last = start.adding(days: Int.random(in: -10...400, using: &random))
            let limit = Int.random(in: 0...30, using: &random)
            let found = rule.dates(from: start, since: since, through: last, limit: limit)
            let expected = all.filter { $0 >= since && $0 <= last }.prefix(limit)
            #expect(found == Array(expected), "seed \(seed): \(rule) from \(start)")
        }
    }

    private static func rule(
        from start: LocalDate, using random: inout SplitMix64
    ) -> RecurrenceRule? {
        let ends: [RecurrenceRule.End] = [
            .never, .count(Int.random(in: 1...50, using: &random)),
            .until(start.adding(days: Int.random(in: -5...300, using: &random))),
        ]
        let days = Weekday.allCases.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        return RecurrenceRule(
            Bool.random(using: &random) ? .daily : .weekly,
            interval: Int.random(in: 1...10, using: &random), days: Set(days),
            end: ends.randomElement(using: &random) ?? .never,
            weekStart: Weekday.allCases.randomElement(using: &random) ?? .monday)
    }

    /// Walks from week to week, or from day to day, and takes what the rule has.
    private static func walk(
        _ rule: RecurrenceRule, from start: LocalDate, through last: LocalDate
    ) -> [LocalDate] {
        var dates: [LocalDate] = []
        switch rule.frequency {
        case .daily:
            var date = start
            while date <= last {
                if rule.days.isEmpty || rule.days.contains(date.dayOfWeek) { dates.append(date) }
                date = date.adding(days: rule.interval)
            }
        case .weekly:
            var monday = start
            while monday.dayOfWeek != rule.weekStart { monday = monday.adding(days: -1) }
            let wanted = rule.days.isEmpty ? [start.dayOfWeek] : rule.days
            while monday <= last {
                let week = (0..<7).map { monday.adding(days: $0) }
                dates += week.filter { wanted.contains($0.dayOfWeek) && $0 >= start && $0 <= last }
                monday = monday.adding(days: 7 * rule.interval)
            }
        }
        switch rule.end {
        case .never: return dates
        case .count(let count): return Array(dates.prefix(count))
        case .until(let day): return dates.filter { $0 <= day }
        }
    }

    @Test("counted from a day of its own, has the same days from then on", arguments: 0..<200)
    func phase(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let start = try #require(LocalDate("2027-03-01")).adding(days: Int.random(in: 0..<7, using: &random))
        let rule = try #require(Self.rule(from: start, using: &random))
        let endless = try #require(
            RecurrenceRule(
                rule.frequency, interval: rule.interval, days: Set(rule.days), weekStart: rule.weekStart))
        let day = start.adding(days: Int.random(in: 0...200, using: &random))
        let through = day.adding(days: 400)
        let expected = Self.walk(endless, from: start, through: through).filter { $0 >= day }
        let first = rule.first(onOrAfter: day, from: start)
        #expect(first == expected.first, "\(rule) from \(start) on \(day)")
        guard let first else { return }
        #expect(Self.walk(endless, from: first, through: through) == expected, "\(rule) from \(start)")
    }

    @Test("goes no further than the last day that can be written")
    func lastDay() throws {
        let last = try #require(LocalDate(year: 9999, month: 12, day: 31))
        let rule = try RecurrenceRule("FREQ=DAILY")
        #expect(rule.dates(from: last, since: last, through: last.adding(days: 5)) == [last])
        #expect(last.adding(days: 1) == last)
    }

    @Test(
        "times of day are read as clocks show them",
        arguments: [
            ("09:00", true), ("23:59:59", true), ("00:00", true), ("9:00", false), ("24:00", false),
            ("09:60", false), ("09:00Z", false), ("0900", false), ("", false),
        ])
    func times(_ text: String, isTime: Bool) {
        #expect(LocalTime(text)?.description == (isTime ? text : nil))
    }
}
