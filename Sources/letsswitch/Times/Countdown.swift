import Contract

/// Texts on the time that is left, for people.
enum Countdown {
    /// Returns `1:02:03` or `02:03`; zero if the time is past.
    static func clock(_ wait: Duration) -> String {
        let seconds = max(0, wait.components.seconds)
        let minutes = "\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
        return seconds >= 3600 ? "\(seconds / 3600):\(minutes)" : minutes
    }

    /// Returns a text such as `in 2 d 3 h`, `in 5 min`, `in 40 s` or `now`.
    static func words(_ wait: Duration) -> String {
        wait.components.seconds <= 0 ? local("now") : local("in \(length(wait))")
    }

    /// Returns a text such as `2 d 3 h`, `5 min` or `40 s`.
    static func length(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return hours > 0 ? local("\(days) d \(hours) h") : local("\(days) d") }
        if hours > 0 { return minutes > 0 ? local("\(hours) h \(minutes) min") : local("\(hours) h") }
        return minutes > 0 ? local("\(minutes) min") : local("\(seconds) s")
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
