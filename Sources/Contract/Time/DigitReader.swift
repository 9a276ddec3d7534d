/// A reader of the fixed-width digits and separators of dates, from the front of a text.
struct DigitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Reads a number of exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        guard bytes.count - position >= count else { return nil }
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Takes one of `allowed`, and returns it.
    mutating func take(_ allowed: UInt8...) -> UInt8? {
        guard position < bytes.count, allowed.contains(bytes[position]) else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a single digit.
    mutating func digit() -> Int? {
        guard position < bytes.count else { return nil }
        let value = bytes[position] &- UInt8(ascii: "0")
        guard value < 10 else { return nil }
        position += 1
        return Int(value)
    }

    /// Reads `YYYY-MM-DD`, a day that exists.
    mutating func date() -> (year: Int, month: Int, day: Int)? {
        guard let year = number(4), take(UInt8(ascii: "-")) != nil,
            let month = number(2), take(UInt8(ascii: "-")) != nil,
            let day = number(2), CivilCalendar.isValid(year: year, month: month, day: day)
        else { return nil }
        return (year, month, day)
    }

    /// Reads a two-digit number in `range`.
    mutating func pair(_ range: Range<Int>) -> Int? {
        guard let value = number(2), range.contains(value) else { return nil }
        return value
    }
}
