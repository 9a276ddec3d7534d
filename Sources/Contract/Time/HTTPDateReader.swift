/// A reader of `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7), the form that senders must write.
package enum HTTPDateReader {
    private static let months = [
        "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07",
        "Aug": "08",
        "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12",
    ]

    package static func read(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months[String(parts[2])] else { return nil }
        return Timestamp("\(parts[3])-\(month)-\(parts[1])T\(parts[4])Z")
    }
}
