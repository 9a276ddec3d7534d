import Contract
import Testing

@testable import letsswitch

@Suite("What --at says")
struct TimeSpecTests {
    @Test(
        "is understood",
        arguments: [
            ("9:00", .clock(.next, hour: 9, minute: 0)), ("23:59", .clock(.next, hour: 23, minute: 59)),
            ("tomorrow 09:00", .clock(.tomorrow, hour: 9, minute: 0)),
            ("Today 9:30", .clock(.today, hour: 9, minute: 30)), ("next", .nextSlot), ("now", .currentSlot),
            ("1970-01-01T01:00:00+01:00", .instant(Timestamp(seconds: 0))),
        ] as [(String, TimeSpec)])
    func valid(text: String, spec: TimeSpec) throws {
        #expect(try TimeSpec(text) == spec)
    }

    @Test("may name a day", arguments: ["2027-03-28T02:30", "2027-03-28 02:30"])
    func day(text: String) throws {
        let date = try #require(LocalDate("2027-03-28"))
        #expect(try TimeSpec(text) == .clock(.date(date), hour: 2, minute: 30))
    }

    @Test(
        "is refused where it is no time",
        arguments: [
            "", "9", "24:00", "9:60", "9:0", "+9:00", "monday 9:00", "2027-02-30T09:00", "today", "1:2:3",
        ])
    func invalid(text: String) {
        #expect(throws: Failure.self) { try TimeSpec(text) }
    }
}
