/// A reader of `HTTP-date` (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, the form that senders must
/// write, and the obsolete ones of RFC 850, `Sunday, 06-Nov-94 08:49:37 GMT`, and of asctime,
/// `Sun Nov  6 08:49:37 1994`, which recipients must accept.
package enum HTTPDateReader {
    private static let months = [
        "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07",
        "Aug": "08",
        "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12",
    ]

    /// Returns the instant; nil if the text is none. A year of two digits that would be over 50 years after
    /// `now` is one of the past.
    package static func read(_ text: String, at now: Timestamp) -> Timestamp? {
        let parts = text.split(separator: " ")
        switch parts.count {
        case 6 where parts[5] == "GMT": return instant(parts[3], parts[2], parts[1], parts[4])
        case 4 where parts[3] == "GMT":
            let date = parts[1].split(separator: "-")
            guard date.count == 3, date[2].count == 2 else { return nil }
            let times = [2100, 2000, 1900].compactMap { century in
                Int(date[2]).flatMap { instant("\(century + $0)", date[1], date[0], parts[2]) }
            }
            return times.first { $0.since(now) <= .seconds(50 * 365 * 86_400 + 13 * 86_400) }
        case 5:
            let day = parts[2].count == 1 ? "0\(parts[2])" : "\(parts[2])"
            return instant(parts[4], parts[1], day, parts[3])
        default: return nil
        }
    }

    private static func instant(
        _ year: some StringProtocol, _ month: some StringProtocol, _ day: some StringProtocol,
        _ time: some StringProtocol
    ) -> Timestamp? {
        months[String(month)].flatMap { Timestamp("\(year)-\($0)-\(day)T\(time)Z") }
    }
}
