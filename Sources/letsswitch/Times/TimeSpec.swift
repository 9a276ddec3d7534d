import Contract

/// A value of `--at`.
enum TimeSpec: Hashable, Sendable {
    enum Day: Hashable, Sendable {
        /// Today, or tomorrow if the time is past.
        case next
        case today
        case tomorrow
        /// The next day of that name on which the time can still be had; it may be today.
        case weekday(Weekday)
        case date(LocalDate)
    }

    /// The first slot that has yet to begin and takes registrations.
    case nextSlot
    /// The slot that is running.
    case currentSlot
    /// A time with an offset.
    case instant(Timestamp)
    /// A time of day with an offset: the next instant of that time.
    case offsetClock(LocalTime, offset: Duration)
    /// The slot that begins nearest to so much time from now.
    case later(Duration)
    /// A time on the clocks of the account's zone.
    case clock(Day, LocalTime)

    static let forms: Text =
        "9am, 09:00, \"tomorrow 9:30pm\", \"monday 09:00\", \"in 10 minutes\", 2027-03-28T09:00, "
        + "T09:00+01:00, 2027-03-28T09:00:00+01:00, next or now"

    init(_ text: String) throws(Failure) {
        var reader = TimeReader(text)
        do throws(TimeReader.ReadingError) {
            self = try reader.read()
        } catch {
            let text = "\"\(SafeText.escape(text))\""
            switch error {
            case .unknown: throw .usage("\(text) is no time. --at takes \(Self.forms).")
            case .ambiguous(let advice): throw .usage("\(text) may mean more than one time: \(advice).")
            }
        }
    }
}

/// The names of the days of the week.
extension Weekday {
    /// Reads the whole name in lower case, or its first three letters.
    init?(_ word: String) {
        guard let day = Self.allCases.first(where: { $0.name == word || $0.name.prefix(3) == word }) else {
            return nil
        }
        self = day
    }

    var name: String { "\(self)" }

    /// The days from one day of the week to the next one of this name, 0 to 6.
    func days(after other: Weekday) -> Int { (rawValue - other.rawValue + 7) % 7 }
}
