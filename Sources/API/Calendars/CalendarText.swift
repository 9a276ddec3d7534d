import Contract
import Database

/// The text of a calendar (RFC 5545, RFC 7986).
struct CalendarText {
    /// The most octets of a line, without its end (RFC 5545 §3.1).
    private static let width = 75

    private(set) var bytes: [UInt8] = []

    /// Writes a calendar of the events in a language. The same events give the same bytes. `publicURL` is the
    /// address of the service, for people.
    init(_ events: [CalendarFeeds.Event], in language: Language, publicURL: String) {
        bytes.reserveCapacity(400 + 600 * events.count)
        let title: Text = "Your sessions of Let's Switch"
        let about: Text = "Another person begins then, too. Join with: letsswitch join\nOr at \(publicURL)"
        line("BEGIN:VCALENDAR")
        line("VERSION:2.0")
        line("PRODID:-//Let's Switch//Let's Switch \(Version.api)//EN")
        line("CALSCALE:GREGORIAN")
        line("NAME:Let's Switch")
        line("X-WR-CALNAME:Let's Switch")
        line("DESCRIPTION:\(Self.escaped(title.said(in: language)))")
        line("REFRESH-INTERVAL;VALUE=DURATION:PT15M")
        line("X-PUBLISHED-TTL:PT15M")
        let description = Self.escaped(about.said(in: language))
        for event in events { write(event, description, publicURL) }
        line("END:VCALENDAR")
    }

    private mutating func write(_ event: CalendarFeeds.Event, _ description: String, _ publicURL: String) {
        line("BEGIN:VEVENT")
        line("UID:\(event.id)")
        // Without a METHOD it is the time of the last change (RFC 5545 §3.8.7.2).
        line("DTSTAMP:\(Self.utc(event.updatedAt))")
        line("CREATED:\(Self.utc(event.createdAt))")
        line("LAST-MODIFIED:\(Self.utc(event.updatedAt))")
        line("SEQUENCE:\(event.sequence)")
        line("DTSTART:\(Self.utc(event.slot.startsAt))")
        line("DTEND:\(Self.utc(event.slot.endsAt))")
        line("SUMMARY:\(Self.escaped(event.task))")
        line("DESCRIPTION:\(description)")
        line("URL:\(publicURL)")
        if let tag = event.tag { line("CATEGORIES:\(Self.escaped(tag))") }
        line("CLASS:PRIVATE")
        line("STATUS:\(event.isCancelled ? "CANCELLED" : "CONFIRMED")")
        line("TRANSP:\(event.isCancelled ? "TRANSPARENT" : "OPAQUE")")
        if !event.isCancelled {
            line("BEGIN:VALARM")
            line("ACTION:DISPLAY")
            line("TRIGGER:-PT1M")
            line("DESCRIPTION:\(Self.escaped(event.task))")
            line("END:VALARM")
        }
        line("END:VEVENT")
    }

    /// Returns the instant as `20270301T120000Z`, rounded down to the second (RFC 5545 §3.3.5).
    private static func utc(_ instant: Timestamp) -> String {
        Timestamp(seconds: instant.seconds).description.filter { $0 != "-" && $0 != ":" }
    }

    /// Returns a text with the characters escaped that have a meaning (RFC 5545 §3.3.11).
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                result.append("\\")
                result.unicodeScalars.append(scalar)
            case "\n": result.append("\\n")
            default:
                // No control character but a tab is allowed; the rules for tasks refuse them already.
                if scalar.properties.generalCategory != .control { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// Appends a line. A long one is continued after a space, between two characters of UTF-8.
    private mutating func line(_ text: String) {
        var length = 0
        for scalar in text.unicodeScalars {
            let octets = UTF8.width(scalar)
            if length + octets > Self.width {
                bytes += Array("\r\n ".utf8)
                length = 1
            }
            bytes += Array(String(scalar).utf8)
            length += octets
        }
        bytes += Array("\r\n".utf8)
    }
}
