import Contract

/// Reads a time as people say it. It is strict: what could mean two things is refused, with the reason.
struct TimeReader {
    enum ReadingError: Error, Hashable {
        case unknown
        /// The words are understood, and mean more than one time. The text says what to write instead.
        case ambiguous(Text)
    }

    /// The longest time that "in" takes: two weeks.
    private static let longestMinutes = 14 * 24 * 60
    private static let longestText = 80
    /// The largest offset from UTC in minutes.
    private static let longestOffset = 18 * 60
    private static let twelve: Text = "say noon, or 00:00 with its day"

    private let words: [String]

    init(_ text: String) {
        // A text that is longer than any time is read as none.
        words = text.utf8.count > Self.longestText ? [] : Self.words(of: text)
    }

    /// Returns the words in lower case, with `9 am` in one.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        for word in text.lowercased().split(separator: " ").map(String.init) {
            if ["am", "pm"].contains(word), let last = words.last, last.utf8.allSatisfy(isClockByte) {
                words[words.count - 1] = last + word
            } else {
                words.append(word)
            }
        }
        return words
    }

    mutating func read() throws(ReadingError) -> TimeSpec {
        switch words.count {
        case 1: return try single(words[0])
        case 2...: return words[0] == "in" ? try later(words.dropFirst()) : try dayAndTime()
        default: throw .unknown
        }
    }

    private func single(_ word: String) throws(ReadingError) -> TimeSpec {
        if word == "next" { return .nextSlot }
        if word == "now" { return .currentSlot }
        if let time = try Self.clock(word) { return .clock(.next, time) }
        if let instant = Timestamp(word) ?? Self.instantWithoutSeconds(word) { return .instant(instant) }
        if let (time, offset) = Self.offsetClock(word) { return .offsetClock(time, offset: offset) }
        if let local = LocalDateTime(word), local.second == 0 {
            return .clock(.date(local.date), local.time)
        }
        if Self.day(word) != nil { throw .ambiguous("say the time too, like \"\(word) 09:00\"") }
        throw .unknown
    }

    /// Reads `monday 9am`, `monday at 9am` and `9am monday`.
    private func dayAndTime() throws(ReadingError) -> TimeSpec {
        var words = words
        if words.count == 3, words[1] == "at" { words.remove(at: 1) }
        if ["next", "this"].contains(words[0]), words.count >= 2, Weekday(words[1]) != nil {
            throw .ambiguous("say \"\(words[1]) 09:00\" for the first one to come, or the date")
        }
        guard words.count == 2 else { throw .unknown }
        for (day, time) in [(words[0], words[1]), (words[1], words[0])] {
            guard let day = Self.day(day), let time = try Self.clock(time) else { continue }
            return .clock(day, time)
        }
        throw .unknown
    }

    private static func day(_ word: String) -> TimeSpec.Day? {
        switch word {
        case "today": .today
        case "tomorrow": .tomorrow
        default: Weekday(word).map { .weekday($0) } ?? LocalDate(word).map { .date($0) }
        }
    }

    /// Reads what follows "in": `10 minutes`, `2 hours`, `1 hour 30 minutes`, `90min`, `1h30m`.
    private func later(_ words: ArraySlice<String>) throws(ReadingError) -> TimeSpec {
        var minutes = 0
        var units: [Int] = []
        var number: Int?
        for part in words.flatMap(Self.parts) {
            if let count = Int(part), part.utf8.count <= 5, number == nil {
                number = count
                continue
            }
            guard let count = number, let unit = Self.unit(part), unit < units.last ?? .max else {
                throw .unknown
            }
            minutes += count * unit
            units.append(unit)
            number = nil
        }
        if number != nil, units.isEmpty {
            throw .ambiguous("say minutes or hours, like \"in 10 minutes\"")
        }
        guard number == nil, (1...Self.longestMinutes).contains(minutes) else { throw .unknown }
        return .later(.seconds(minutes * 60))
    }

    /// Returns the numbers and the words of which a word consists: `1h30m` is `1`, `h`, `30` and `m`.
    private static func parts(_ word: String) -> [String] {
        var parts: [String] = []
        var wasDigit: Bool?
        for character in word {
            let isDigit = character.isASCII && character.isNumber
            if isDigit != wasDigit { parts.append("") }
            parts[parts.count - 1].append(character)
            wasDigit = isDigit
        }
        return parts
    }

    private static func unit(_ word: String) -> Int? {
        switch word {
        case "m", "min", "mins", "minute", "minutes": 1
        case "h", "hour", "hours": 60
        default: nil
        }
    }

    /// Reads `9:00`, `09:00`, `t09:00`, `9am`, `9:30pm` and `noon`; nil: it is no time of day.
    private static func clock(_ word: String) throws(ReadingError) -> LocalTime? {
        if word == "noon" { return LocalTime(hour: 12, minute: 0) }
        if word == "midnight" { throw .ambiguous("say 00:00, with its day") }
        if word.hasPrefix("t"), let time = twentyFour(String(word.dropFirst())) { return time }
        if let time = twentyFour(word) { return time }
        if let hour = number(word), (1...12).contains(hour) {
            throw .ambiguous(hour == 12 ? twelve : "say \(hour):00, \(hour)am or \(hour)pm")
        }
        let isAfternoon = word.hasSuffix("pm")
        guard isAfternoon || word.hasSuffix("am") else { return nil }
        let text = String(word.dropLast(2))
        let given = twentyFour(text) ?? number(text).flatMap { LocalTime(hour: $0, minute: 0) }
        guard let given, (1...12).contains(given.hour) else { return nil }
        // By custom 12 pm is noon, but some take it for midnight.
        if text == "12" { throw .ambiguous(twelve) }
        return LocalTime(hour: given.hour % 12 + (isAfternoon ? 12 : 0), minute: given.minute)
    }

    /// Reads `9:00` and `09:00`.
    private static func twentyFour(_ word: String) -> LocalTime? {
        word.utf8.count <= 5 ? LocalTime(word) ?? LocalTime("0\(word)") : nil
    }

    /// Reads `t09:00+01:00`, `09:00z` and the like, with seconds if they are zero.
    private static func offsetClock(_ word: String) -> (time: LocalTime, offset: Duration)? {
        let text = word.hasPrefix("t") ? word.dropFirst() : word[...]
        guard let mark = text.lastIndex(where: { "+-z".contains($0) }) else { return nil }
        guard let time = LocalTime(String(text[..<mark])), time.second == 0 else { return nil }
        let offset = text[mark...]
        if offset == "z" { return (time, .zero) }
        guard offset.utf8.count == 6, let ahead = LocalTime(String(offset.dropFirst())) else { return nil }
        let minutes = ahead.hour * 60 + ahead.minute
        guard minutes <= longestOffset else { return nil }
        let seconds = minutes * 60
        return (time, .seconds(offset.first == "-" ? -seconds : seconds))
    }

    /// Reads `2027-03-28t09:00+01:00`, which RFC 3339 does not have, but ISO 8601 has.
    private static func instantWithoutSeconds(_ word: String) -> Timestamp? {
        let dateAndTime = word.prefix(16)
        guard LocalDateTime(String(dateAndTime)) != nil else { return nil }
        return Timestamp("\(dateAndTime):00\(word.dropFirst(16))")
    }

    /// Reads one digit or two.
    private static func number(_ text: String) -> Int? {
        let isNumber = text.utf8.count <= 2 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Int(text) : nil
    }

    private static func isClockByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == UInt8(ascii: ":")
    }
}
