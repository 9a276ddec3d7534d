import Contract
import Testing

/// Tests of the edges of RFC 3339: its own examples (§5.8), its limits (§5.6, §5.7), and the cases of the
/// JSON Schema Test Suite (github.com/json-schema-org/JSON-Schema-Test-Suite, `optional/format/date-time` and
/// `date`).
struct RFC3339Tests {
    @Test(
        "§5.8 and the suite: times that are one",
        arguments: [
            ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
            ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"),
            ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
            ("1963-06-19T08:30:06.283185Z", "1963-06-19T08:30:06.283185Z"),
            ("1963-06-19T08:30:06Z", "1963-06-19T08:30:06Z"),
            ("1963-06-19t08:30:06.283185z", "1963-06-19T08:30:06.283185Z"),
            ("1990-12-31T15:59:50.123-08:00", "1990-12-31T23:59:50.123Z"),
            ("2027-01-01T00:00:00+23:59", "2026-12-31T00:01:00Z"),
            ("2027-01-01T00:00:00-23:59", "2027-01-01T23:59:00Z"),
            ("2027-01-01T00:00:00-00:00", "2027-01-01T00:00:00Z"),
            ("2027-01-01T23:59:59.9999999999999999999999999Z", "2027-01-01T23:59:59.999999Z"),
            ("2027-01-01T00:00:00.0000000Z", "2027-01-01T00:00:00Z"),
            ("2027-01-01T00:00:00.1Z", "2027-01-01T00:00:00.100Z"),
            ("2027-01-01t00:00:00Z", "2027-01-01T00:00:00Z"),
            ("2027-01-01T00:00:00z", "2027-01-01T00:00:00Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
            ("0000-02-29T12:00:00-00:00", "0000-02-29T12:00:00Z"),
        ])
    func accepted(text: String, written: String) {
        #expect(Timestamp(text)?.description == written)
    }

    @Test(
        "§5.6: a fraction has one digit or more, and what is finer than a microsecond is cut off",
        arguments: 1...12)
    func fractions(count: Int) {
        let digits = String("123456789012".prefix(count))
        let microseconds = Int64((digits + "00000").prefix(6))
        let whole = Timestamp("2027-01-01T00:00:00Z")
        let text = "2027-01-01T00:00:00.\(digits)"
        for offset in ["Z", "z", "+00:00", "-00:00"] {
            let read = Timestamp(text + offset)
            #expect(
                read.map { $0.microseconds - (whole?.microseconds ?? 0) } == microseconds, "\(text + offset)")
        }
        #expect(Timestamp(text) == nil)
    }

    @Test(
        "§5.6, §5.7 and the suite: times that are none",
        arguments: [
            "1998-12-31T23:59:61Z", "1998-12-31T23:58:60Z", "1998-12-31T22:59:60Z",
            "1990-02-31T15:59:59.123-08:00",
            "1990-12-31T15:59:59-24:00", "1963-06-19T08:30:06.28123+01:00Z", "06/19/1963 08:30:06 PST",
            "2013-350T01:01:01",
            "1963-6-19T08:30:06.283185Z", "1963-06-1T08:30:06.283185Z", "1963-06-1\u{9EA}T00:00:00Z",
            "1963-06-11T0\u{9EA}:00:00Z", "12027-01-01T00:00:00Z", "+2027-01-01T00:00:00Z",
            "-0001-01-01T00:00:00Z",
            "2027-01-01T00:00:00.+01:00", "2027-01-01T00:00:00-", "2027-01-01T00:00:00+1:00",
            "2027-01-01T00:00:00+001:00",
            "2027-01-01T00:00:00+01:00:00", "2027-01-01T00:00:00\u{2212}01:00", "2027-01-01T00:00:00UTC",
            "2027-01-01T00:00:00 Z", "2027-01-01T000000Z", "20270101T000000Z", "2027-W01-1T00:00:00Z",
            "2027-01-01T",
            "2027-01-01T24:00:00Z", "2027-01-01T24:00:00.000-00:00", "2027-02-30T12:00:00Z",
            "0000-01-01T00:00:00+00:01",
            "2027-01-01T-1:00:00Z", "2027-01-01T00:00:-1Z", "2027-01-01T00:00:00.-5Z",
            "2027-01-01T00:00:00.5.5Z", "2027-01-01T00:00:00e1Z", "2027-01-01_00:00:00Z",
            "2027-01-01\u{FF34}00:00:00Z",
            "2027-01-01T00:00:00Z\0", "\u{FEFF}2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z\u{301}", "null",
            "Z", "T",
        ])
    func refused(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(
        "§5.8: a leap second is refused, since a count of seconds cannot say it",
        arguments: [
            "1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00", "1998-12-31T23:59:60Z",
            "1998-12-31T15:59:60.123-08:00",
            "2016-12-31T23:59:60.999999Z",
        ])
    func leapSeconds(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(
        "§5.7: each month has its days",
        arguments: [
            (1, 31, 31), (2, 28, 29), (3, 31, 31), (4, 30, 30), (5, 31, 31), (6, 30, 30), (7, 31, 31),
            (8, 31, 31),
            (9, 30, 30), (10, 31, 31), (11, 30, 30), (12, 31, 31),
        ])
    func months(month: Int, days: Int, leapDays: Int) {
        for (year, last) in [
            ("2027", days), ("1900", days), ("2100", days), ("2028", leapDays), ("2000", leapDays),
        ] {
            let start = "\(year)-\(month < 10 ? "0" : "")\(month)-"
            for day in 1...99 {
                let date = start + (day < 10 ? "0" : "") + String(day)
                #expect((LocalDate(date) != nil) == (day <= last), "\(date)")
                #expect((Timestamp(date + "T00:00:00Z") != nil) == (day <= last), "\(date)")
            }
            #expect(LocalDate(start + "00") == nil)
        }
    }

    @Test("§5.6: every pair of digits has its range")
    func ranges() {
        for number in 0...99 {
            let pair = (number < 10 ? "0" : "") + String(number)
            #expect(
                (Timestamp("2027-\(pair)-01T00:00:00Z") != nil) == (1...12).contains(number), "month \(pair)")
            #expect((Timestamp("2027-01-01T\(pair):00:00Z") != nil) == (number < 24), "hour \(pair)")
            #expect((Timestamp("2027-01-01T00:\(pair):00Z") != nil) == (number < 60), "minute \(pair)")
            #expect((Timestamp("2027-01-01T00:00:\(pair)Z") != nil) == (number < 60), "second \(pair)")
            #expect((Timestamp("2027-01-01T00:00:00+\(pair):00") != nil) == (number < 24), "offset \(pair)")
            #expect((Timestamp("2027-01-01T00:00:00-00:\(pair)") != nil) == (number < 60), "offset \(pair)")
        }
    }

    @Test(
        "the suite: dates that are none",
        arguments: [
            "2020-02-30", "2021-02-29", "2020-13-01", "2020-00-10", "2020-1-20", "2020-01-2", "06/19/1963",
            "2013-350",
            "1998-1-20", "1998-01-1", "1998-13-01", "1998-04-31", "1963-06-1\u{9EA}", "20230328", "2023-W01",
            "2023-W13-2", "2022W527", "2020-11-28T23:55:45Z", "2020-11-28Z", " 2020-11-28",
            "2020\u{2010}11\u{2010}28",
        ])
    func dates(text: String) {
        #expect(LocalDate(text) == nil)
    }
}
