import Testing

@testable import Contract

struct TimestampTests {
    @Test(
        "RFC 3339 is read and written",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
            ("1985-04-12T23:20:50.52Z", 482_196_050_520_000, "1985-04-12T23:20:50.520Z"),
            ("1996-12-19T16:39:57-08:00", 851_042_397_000_000, "1996-12-20T00:39:57Z"),
            ("2027-03-28t02:30:00+01:00", 1_806_197_400_000_000, "2027-03-28T01:30:00Z"),
            ("2000-02-29T00:00:00z", 951_782_400_000_000, "2000-02-29T00:00:00Z"),
            ("1969-12-31T23:59:59.999999Z", -1, "1969-12-31T23:59:59.999999Z"),
            ("2001-09-09T01:46:40.123456789Z", 1_000_000_000_123_456, "2001-09-09T01:46:40.123456Z"),
            ("2001-09-09T01:46:40.000Z", 1_000_000_000_000_000, "2001-09-09T01:46:40Z"),
            ("2001-09-09T01:46:40-00:00", 1_000_000_000_000_000, "2001-09-09T01:46:40Z"),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000, "0000-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.9999999Z", 253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        ] as [(String, Int64, String)])
    func reads(text: String, microseconds: Int64, written: String) throws {
        let instant = try #require(Timestamp(text))
        #expect(instant.microseconds == microseconds)
        #expect(instant.description == written)
    }

    @Test(
        "what does not exist, or is not RFC 3339, is refused",
        arguments: [
            "", "2027-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2027-04-31T00:00:00Z",
            "2027-00-01T00:00:00Z", "2027-13-01T00:00:00Z", "2027-01-00T00:00:00Z", "2027-01-01T24:00:00Z",
            "2027-01-01T00:60:00Z", "2016-12-31T23:59:60Z", "2027-01-01T00:00:00", "2027-01-01T00:00Z",
            "2027-01-01 00:00:00Z", "2027-01-01T00:00:00.Z", "2027-01-01T00:00:00,5Z",
            "2027-01-01T00:00:00+24:00",
            "2027-01-01T00:00:00+01:60", "2027-01-01T00:00:00+0100", "2027-01-01T00:00:00+01",
            "2027-01-01T00:00:00ZZ",
            "27-01-01T00:00:00Z", "+2027-01-01T00:00:00Z", "12027-01-01T00:00:00Z", "2027-1-01T00:00:00Z",
            "2027-01-01T00:00:00 01:00", "２027-01-01T00:00:00Z", "0000-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01", " 2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z\n",
        ])
    func refused(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("any instant of the years 0 to 9999 survives being written and read")
    func roundTrip() {
        for _ in 0..<2000 {
            let instant = Timestamp(
                microseconds: .random(in: -62_167_219_200_000_000...253_402_300_799_999_999))
            #expect(Timestamp(instant.description) == instant)
        }
    }

    @Test("every day of four hundred years follows the one before")
    func calendar() {
        var previous = CivilCalendar.dayNumber(year: 1799, month: 12, day: 31)
        for year in 1800...2200 {
            for month in 1...12 {
                for day in 1...31 where CivilCalendar.isValid(year: year, month: month, day: day) {
                    let number = CivilCalendar.dayNumber(year: year, month: month, day: day)
                    if number != previous + 1 || CivilCalendar.date(ofDay: number) != (year, month, day) {
                        Issue.record("\(year)-\(month)-\(day) is \(number)")
                    }
                    previous = number
                }
            }
        }
    }

    @Test("arithmetic stops at the ends instead of trapping")
    func saturates() {
        let last = Timestamp(microseconds: .max)
        #expect(last.adding(.seconds(1)) == last)
        #expect(Timestamp(microseconds: .min).adding(.seconds(-1)).microseconds == .min)
        #expect(Timestamp(seconds: .max).microseconds == .max)
        #expect(Timestamp(seconds: .min).microseconds == .min)
        #expect(last.since(Timestamp(microseconds: .min)) == .microseconds(Int64.max))
        #expect(last.description == "9999-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: .min).description == "0000-01-01T00:00:00Z")
    }

    @Test(
        "seconds are rounded down, also before 1970",
        arguments: [(1_999_999, 1), (-1, -1), (-1_000_000, -1), (0, 0)])
    func floor(microseconds: Int64, seconds: Int64) {
        #expect(Timestamp(microseconds: microseconds).seconds == seconds)
        #expect(
            Timestamp(seconds: seconds).adding(.milliseconds(-1500)).microseconds == seconds * 1_000_000
                - 1_500_000)
    }

    @Test("a local date is a day that exists, written as it is read")
    func localDate() {
        #expect(LocalDate("2028-02-29")?.description == "2028-02-29")
        for text in ["", "2027-02-29", "2027-2-01", "0000-01-01", "2027-01-01 ", "2027/01/01", "20270101"] {
            #expect(LocalDate(text) == nil, "\(text)")
        }
    }

    @Test("a local time has no offset, and its seconds may be left out")
    func localDateTime() {
        #expect(LocalDateTime("2027-03-28T02:30")?.description == "2027-03-28T02:30")
        #expect(LocalDateTime("2027-03-28T02:30:00")?.description == "2027-03-28T02:30")
        #expect(LocalDateTime("2027-03-28T02:30:15")?.description == "2027-03-28T02:30:15")
        for text in [
            "2027-03-28", "2027-03-28T24:00", "2027-03-28T02:30Z", "2027-03-28T02:30:60", "2027-02-30T02:30",
        ] {
            #expect(LocalDateTime(text) == nil, "\(text)")
        }
    }
}
