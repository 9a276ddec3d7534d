import Contract
import Glibc

/// Texts of instants in local time, in the process's own zone.
enum LocalClock {
    /// Returns a text such as `Sun 2027-03-28 09:00 CEST`.
    static func dateAndTime(_ instant: Timestamp) -> String { format(instant, "%a %Y-%m-%d %H:%M %Z") }

    /// Returns a text such as `09:00`, or `09:00:20` if there are seconds; with the zone if clocks show the
    /// time twice.
    static func time(_ instant: Timestamp) -> String {
        let pattern = hasSeconds(instant) ? "%H:%M:%S" : "%H:%M"
        return format(instant, isRepeated(instant) ? "\(pattern) %Z" : pattern)
    }

    /// Returns a text such as `09:00:05`.
    static func timeWithSeconds(_ instant: Timestamp) -> String { format(instant, "%H:%M:%S") }

    /// Returns a text such as `Sun 2027-03-28 09:00–09:30 CEST`, with seconds if the slot begins or ends
    /// within a minute. Both ends have their zone if the clocks are changed between them, or show one of the
    /// times twice.
    static func span(_ slot: SlotSpan) -> String {
        let time = hasSeconds(slot.startsAt) || hasSeconds(slot.endsAt) ? "%H:%M:%S" : "%H:%M"
        let isPlain =
            offset(at: slot.startsAt) == offset(at: slot.endsAt)
            && !isRepeated(slot.startsAt) && !isRepeated(slot.endsAt)
        return format(slot.startsAt, "%a %Y-%m-%d \(time)\(isPlain ? "" : " %Z")–")
            + format(slot.endsAt, "\(time) %Z")
    }

    private static func hasSeconds(_ instant: Timestamp) -> Bool { instant.seconds % 60 != 0 }

    /// Whether clocks show the time of an instant twice, as they do when they are put back: by three hours
    /// at most.
    private static func isRepeated(_ instant: Timestamp) -> Bool {
        let own = offset(at: instant)
        return [-10_800, 10_800].contains { seconds in
            let other = offset(at: instant.adding(.seconds(seconds)))
            return other != own && offset(at: instant.adding(.seconds(own - other))) == other
        }
    }

    /// Returns the offset of the zone from UTC, in seconds.
    private static func offset(at instant: Timestamp) -> Int {
        brokenDown(instant)?.tm_gmtoff ?? 0
    }

    private static func brokenDown(_ instant: Timestamp) -> tm? {
        var seconds = time_t(instant.seconds)
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? nil : fields
    }

    private static func format(_ instant: Timestamp, _ pattern: String) -> String {
        guard var fields = brokenDown(instant) else { return instant.description }
        let weekday = Weekday(rawValue: (Int(fields.tm_wday) + 6) % 7)?.shortName ?? ""
        let pattern = pattern.replacing("%a", with: weekday)
        var text = [UInt8](repeating: 0, count: 128)
        let count = text.withUnsafeMutableBytes { buffer in
            strftime(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, pattern, &fields)
        }
        return String(decoding: text.prefix(count), as: UTF8.self)
    }
}
