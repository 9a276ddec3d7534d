import Contract

/// Reads instants, days, local times, waits and ids, all of which are short texts of digits.
///
/// Oracle: a value survives being written and read; the instant is the one that a plain count of days finds.
enum TimeFuzz {
    static func test(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        if let instant = Timestamp(text) {
            expect(Timestamp(instant.description) == instant, "\(text) changed in writing")
            expect(text.utf8.allSatisfy { $0 < 0x80 }, "a time is not ASCII")
            expect(plainSeconds(input) == instant.seconds, "\(text) was read as \(instant)")
        }
        if let date = LocalDate(text) {
            expect(date.description == text, "a date has two spellings")
        }
        if let time = LocalDateTime(text) {
            expect(LocalDateTime(time.description) == time, "\(text) changed in writing")
        }
        if let id = Identifier(text) {
            expect(id.description == text.lowercased(), "an id has two spellings")
        }
        if let wait = RetryAfter.read(text) {
            expect((.zero ... .seconds(3600)).contains(wait), "a wait is out of bounds")
            expect(RetryAfter.read(RetryAfter.reason(wait)) == wait, "a wait changed in writing")
        }
    }

    /// Returns the seconds since 1970 of a valid time, counted year by year and month by month.
    private static func plainSeconds(_ text: [UInt8]) -> Int64 {
        func number(_ start: Int, _ count: Int) -> Int64 {
            text[start..<start + count].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        let year = number(0, 4)
        var days: Int64 = 0
        for past in min(year, 1970)..<max(year, 1970) {
            days += (isLeap(past) ? 366 : 365) * (year < 1970 ? -1 : 1)
        }
        let lengths: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        days += lengths[..<Int(number(5, 2) - 1)].reduce(0, +) + number(8, 2) - 1
        var seconds = days * 86_400 + number(11, 2) * 3600 + number(14, 2) * 60 + number(17, 2)
        if let last = text.last, last != UInt8(ascii: "Z"), last != UInt8(ascii: "z") {
            let offset = number(text.count - 5, 2) * 3600 + number(text.count - 2, 2) * 60
            seconds -= text[text.count - 6] == UInt8(ascii: "-") ? -offset : offset
        }
        return seconds
    }
}
