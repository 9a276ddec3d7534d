import Contract

/// A value of `--at`.
enum TimeSpec: Hashable, Sendable {
    enum Day: Hashable, Sendable {
        /// Today, or tomorrow if the time is past.
        case next
        case today
        case tomorrow
        case date(LocalDate)
    }

    /// The first slot that has yet to begin and can be had.
    case nextSlot
    /// The slot that is running.
    case currentSlot
    /// A time with an offset.
    case instant(Timestamp)
    /// A time on the clocks of the account's zone.
    case clock(Day, hour: Int, minute: Int)

    static let forms = "09:00, \"tomorrow 09:00\", 2027-03-28T09:00, 2027-03-28T09:00:00+01:00, next or now"

    init(_ text: String) throws(Failure) {
        guard let spec = Self.read(text) else {
            throw .usage("\"\(SafeText.escape(text))\" is no time. --at takes \(Self.forms).")
        }
        self = spec
    }

    private static func read(_ text: String) -> TimeSpec? {
        let words = text.lowercased().split(separator: " ").map(String.init)
        switch words.count {
        case 1:
            if words[0] == "next" { return .nextSlot }
            if words[0] == "now" { return .currentSlot }
            if let time = clock(words[0]) { return .clock(.next, hour: time.hour, minute: time.minute) }
            if let instant = Timestamp(words[0]) { return .instant(instant) }
            guard let local = LocalDateTime(words[0]), local.second == 0 else { return nil }
            return .clock(.date(local.date), hour: local.hour, minute: local.minute)
        case 2:
            guard let time = clock(words[1]), let day = day(words[0]) else { return nil }
            return .clock(day, hour: time.hour, minute: time.minute)
        default:
            return nil
        }
    }

    private static func day(_ word: String) -> Day? {
        switch word {
        case "today": .today
        case "tomorrow": .tomorrow
        default: LocalDate(word).map { .date($0) }
        }
    }

    /// Reads `9:00` or `09:00`.
    private static func clock(_ word: String) -> (hour: Int, minute: Int)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return (hour, minute)
    }
}
