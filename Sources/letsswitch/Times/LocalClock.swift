import Contract
import Glibc

/// Texts of instants in local time, in the process's own zone.
enum LocalClock {
    /// Returns a text such as `Sun 2027-03-28 09:00 CEST`.
    static func dateAndTime(_ instant: Timestamp) -> String { format(instant, "%a %Y-%m-%d %H:%M %Z") }

    /// Returns a text such as `09:00`, or `09:00:20` if there are seconds.
    static func time(_ instant: Timestamp) -> String {
        hasSeconds(instant) ? timeWithSeconds(instant) : format(instant, "%H:%M")
    }

    /// Returns a text such as `09:00:05`.
    static func timeWithSeconds(_ instant: Timestamp) -> String { format(instant, "%H:%M:%S") }

    /// Returns a text such as `Sun 2027-03-28 09:00–09:30 CEST`, with seconds if the slot begins or ends
    /// within a minute.
    static func span(_ slot: SlotSpan) -> String {
        let time = hasSeconds(slot.startsAt) || hasSeconds(slot.endsAt) ? "%H:%M:%S" : "%H:%M"
        return format(slot.startsAt, "%a %Y-%m-%d \(time)–") + format(slot.endsAt, "\(time) %Z")
    }

    private static func hasSeconds(_ instant: Timestamp) -> Bool { instant.seconds % 60 != 0 }

    private static func format(_ instant: Timestamp, _ pattern: String) -> String {
        var seconds = time_t(instant.seconds)
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return instant.description }
        let weekday = Weekday(rawValue: (Int(fields.tm_wday) + 6) % 7)?.shortName ?? ""
        let pattern = pattern.replacing("%a", with: weekday)
        var text = [UInt8](repeating: 0, count: 128)
        let count = text.withUnsafeMutableBytes { buffer in
            strftime(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, pattern, &fields)
        }
        return String(decoding: text.prefix(count), as: UTF8.self)
    }
}
