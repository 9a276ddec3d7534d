/// The measurements of a ping so far. In JSON, durations are in milliseconds.
struct PingStatistics: Encodable, Sendable {
    private(set) var sent = 0
    private(set) var received = 0
    private(set) var minimum: Double?
    private(set) var average: Double?
    private(set) var maximum: Double?
    private var total = Duration.zero

    private enum CodingKeys: String, CodingKey { case sent, received, minimum, average, maximum }

    mutating func answered(after time: Duration) {
        sent += 1
        received += 1
        total += time
        let milliseconds = Self.milliseconds(time)
        minimum = min(minimum ?? milliseconds, milliseconds)
        maximum = max(maximum ?? milliseconds, milliseconds)
        average = Self.milliseconds(total / received)
    }

    mutating func lost() { sent += 1 }

    /// The summary, in the form of that of ping(8).
    var text: String {
        let loss = sent == 0 ? 0 : (sent - received) * 100 / sent
        let counts = "\(sent) sent, \(received) answered, \(loss)% lost"
        guard let minimum, let average, let maximum else { return counts }
        return "\(counts)\nround trip min/avg/max = \(minimum)/\(average)/\(maximum) ms"
    }

    /// Returns the milliseconds for a quick look: whole ones from ten on, else with a digit behind the point.
    static func rounded(_ duration: Duration) -> String {
        let tenths = Int((duration / .microseconds(100)).rounded())
        return tenths >= 100 ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns the milliseconds with two digits behind the point.
    static func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(10)).rounded() / 100
    }
}
