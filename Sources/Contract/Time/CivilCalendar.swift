/// The proleptic Gregorian calendar, with days numbered since 1970-01-01.
enum CivilCalendar {
    static let years = 0...9999
    static let secondsPerDay: Int64 = 86_400

    static func isValid(year: Int, month: Int, day: Int) -> Bool {
        years.contains(year) && (1...12).contains(month) && day >= 1
            && day <= length(ofMonth: month, year: year)
    }

    /// Returns the number of a day for which `isValid` is true.
    static func dayNumber(year: Int, month: Int, day: Int) -> Int64 {
        // Years start in March here, so that the leap day is the last of its year; an era is 400 years.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * daysPerEra + dayOfEra - daysBeforeEpoch)
    }

    static func date(ofDay number: Int64) -> (year: Int, month: Int, day: Int) {
        let days = Int(number) + daysBeforeEpoch
        let era = (days >= 0 ? days : days - daysPerEra + 1) / daysPerEra
        let dayOfEra = days - era * daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static let daysPerEra = 146_097
    /// The number of days from 0000-03-01 to 1970-01-01.
    private static let daysBeforeEpoch = 719_468

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
