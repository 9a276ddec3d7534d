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
        let seconds = wait.components.seconds
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if seconds <= 0 { return "now" }
        if days > 0 { return hours > 0 ? "in \(days) d \(hours) h" : "in \(days) d" }
        if hours > 0 { return minutes > 0 ? "in \(hours) h \(minutes) min" : "in \(hours) h" }
        return minutes > 0 ? "in \(minutes) min" : "in \(seconds) s"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
