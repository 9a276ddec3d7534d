import Contract
import Testing

@testable import letsswitch

@Suite("What --at says")
struct TimeSpecTests {
    /// One form in a line, with all spellings that mean the same.
    private static let understood: [(texts: [String], spec: TimeSpec)] = [
        (
            ["9:00", "09:00", "T09:00", "9am", "9AM", "9 am", "9:00am", "09:00 AM"],
            .clock(.next, time(9, 0))
        ),
        (["23:59", "11:59pm", "11:59 pm"], .clock(.next, time(23, 59))),
        (["noon", "12:00", "12:00pm"], .clock(.next, time(12, 0))),
        (["0:30", "12:30am"], .clock(.next, time(0, 30))),
        (["1pm", "13:00"], .clock(.next, time(13, 0))),
        (
            ["tomorrow 09:00", "Tomorrow 9am", "tomorrow at 9 am", "9am tomorrow", "09:00 tomorrow"],
            .clock(.tomorrow, time(9, 0))
        ),
        (["Today 9:30", "9:30 today"], .clock(.today, time(9, 30))),
        (
            ["monday 09:00", "Mon 9am", "mon at 9:00", "9am Monday"],
            .clock(.weekday(.monday), time(9, 0))
        ),
        (["sunday noon"], .clock(.weekday(.sunday), time(12, 0))),
        (["next"], .nextSlot), (["now"], .currentSlot),
        (["in 10 minutes", "in 10 min", "in 10min", "In 10m"], .later(.seconds(600))),
        (["in 90 minutes", "in 1 hour 30 minutes", "in 1h30m", "in 1 h 30 min"], .later(.seconds(5400))),
        (["in 2 hours", "in 2h"], .later(.seconds(7200))),
        (
            ["T09:00+01:00", "09:00+01:00", "t09:00:00+01:00"],
            .offsetClock(time(9, 0), offset: .seconds(3600))
        ),
        (["T09:30Z", "09:30z"], .offsetClock(time(9, 30), offset: .zero)),
        (["T23:00-09:30"], .offsetClock(time(23, 0), offset: .seconds(-34_200))),
        (
            ["1970-01-01T01:00:00+01:00", "1970-01-01T01:00+01:00", "1970-01-01T00:00Z"],
            .instant(Timestamp(seconds: 0))
        ),
    ]

    private static func time(_ hour: Int, _ minute: Int) -> LocalTime {
        guard let time = LocalTime(hour: hour, minute: minute) else { preconditionFailure("no time of day") }
        return time
    }

    @Test("is understood in each of its spellings", arguments: understood.indices)
    func valid(row: Int) throws {
        for text in Self.understood[row].texts {
            #expect(try TimeSpec(text) == Self.understood[row].spec, "\(text)")
        }
    }

    @Test("may name a day", arguments: ["2027-03-28T02:30", "2027-03-28 02:30", "2027-03-28 2:30am"])
    func day(text: String) throws {
        let date = try #require(LocalDate("2027-03-28"))
        #expect(try TimeSpec(text) == .clock(.date(date), Self.time(2, 30)))
    }

    @Test(
        "is refused where it is no time",
        arguments: [
            "", " ", "24:00", "9:60", "9:0", "+9:00", "2027-02-30T09:00", "1:2:3", "13am", "0am", "9:00xm",
            "monday monday", "09:00 10:00", "in", "in minutes", "in 10 days", "in 0 minutes", "in -5 minutes",
            "in 30 minutes 1 hour", "in 10 10 minutes", "in 99999 hours", "in 1.5 hours", "monday at",
            "at 9am",
            "T09:00+19:00", "T09:00+0100", "T9:00+01:00", "09:00+1:00", "T09:00:30+01:00", "moonday 9am",
            "2027-03-28T09:00+01:60", "２:00", "9:00\u{200B}", String(repeating: "9", count: 10_000),
        ])
    func invalid(text: String) throws {
        let failure = try #require(throws: Failure.self) { try TimeSpec(text) }
        #expect(failure.code == .usage && failure.detail.contains("is no time. --at takes 9am, 09:00"))
    }

    @Test(
        "is refused with what to say instead where it may mean more than one time",
        arguments: [
            ("9", "say 9:00, 9am or 9pm"), ("tomorrow 9", "say 9:00, 9am or 9pm"), ("12am", "noon"),
            ("12 pm", "noon"), ("12", "noon"), ("midnight", "00:00"), ("monday midnight", "00:00"),
            ("monday", "\"monday 09:00\""), ("today", "\"today 09:00\""), ("2027-03-28", "say the time too"),
            ("next monday 9am", "first one to come"), ("this friday 9am", "first one to come"),
            ("next monday", "first one to come"), ("in 10", "say minutes or hours"),
        ])
    func ambiguous(text: String, advice: String) throws {
        let failure = try #require(throws: Failure.self) { try TimeSpec(text) }
        #expect(failure.code == .usage)
        #expect(failure.detail.contains("may mean more than one time") && failure.detail.contains(advice))
    }

    @Test("names in its message nothing that a terminal obeys")
    func safe() throws {
        let failure = try #require(throws: Failure.self) { try TimeSpec("9\u{1B}[31m") }
        #expect(!failure.detail.contains("\u{1B}"))
    }

    @Test("has names for the days of the week, which agree with the calendar")
    func weekdays() throws {
        var date = try #require(LocalDate("2027-02-26"))
        var weekday = Weekday.friday
        for _ in 0..<1000 {
            #expect(date.dayOfWeek == weekday)
            #expect(Weekday(weekday.name) == weekday && Weekday(date.weekday.lowercased()) == weekday)
            (date, weekday) = (date.next, Weekday.allCases[(weekday.rawValue + 1) % 7])
        }
        #expect(Weekday("mo") == nil && Weekday("mond") == nil && Weekday("") == nil)
        #expect(Weekday.monday.days(after: .saturday) == 2 && Weekday.monday.days(after: .monday) == 0)
    }
}
