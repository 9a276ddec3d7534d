/// The format IMF-fixdate (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the date of `seconds` since 1970, which must not be negative.
    static func format(_ seconds: Int) -> String {
        let day = max(0, seconds) / 86_400
        let second = max(0, seconds) % 86_400
        // The civil date is computed from the days by eras of 400 years, which begin on 1 March.
        let shifted = day + 719_468
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + shifted / 146_097 * 400 + (month <= 2 ? 1 : 0)
        let clock = [second / 3600, second / 60 % 60, second % 60].map(padded).joined(separator: ":")
        return "\(days[day % 7]), \(padded(dayOfMonth)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
