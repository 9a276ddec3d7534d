import Contract

/// Decides when the terminal sounds: ten seconds before the start, at the start, and for an ale. A value; the
/// clock is the caller's.
struct JoinSound: Sendable {
    static let variable = "LETSSWITCH_BELL"
    /// The control character that makes a terminal sound (ECMA-48 §8.3.3).
    static let character = "\u{07}"

    /// The times before the start at which it sounds.
    private static let marks = [Duration.seconds(10), .zero]
    /// The delay up to which a mark is still worth a sound, as after a suspension.
    private static let delay = Duration.seconds(3)
    /// The shortest time between two sounds for ales.
    private static let pause = Duration.seconds(1)

    private var startsAt: Timestamp?
    /// The time that was left when it was last asked.
    private var left: Duration?
    private var latestAle: Timestamp?

    /// Returns whether it sounds now, for an event or since time has passed.
    mutating func sounds(_ model: JoinModel, _ joinEvent: JoinEvent?, at now: Timestamp) -> Bool {
        let isMark = passesMark(model.nextStart, at: now.adding(model.clockOffset))
        guard joinEvent?.event == "ale" else { return isMark }
        let isLoud = latestAle.map { now.since($0) >= Self.pause || now < $0 } ?? true
        if isLoud { latestAle = now }
        return isLoud || isMark
    }

    private mutating func passesMark(_ startsAt: Timestamp?, at now: Timestamp) -> Bool {
        let left = startsAt?.since(now)
        defer { (self.startsAt, self.left) = (startsAt, left) }
        guard startsAt == self.startsAt, let left, let before = self.left else { return false }
        return Self.marks.contains { before > $0 && left <= $0 && left > $0 - Self.delay }
    }

    /// Whether the setting and the switch allow sounds. Throws if the setting is neither on nor off.
    static func isOn(setting: String?, isSwitchedOff: Bool) throws(Failure) -> Bool {
        switch setting ?? "" {
        case "", "on": return !isSwitchedOff
        case "off": return false
        default:
            throw .usage("\(variable) is on or off, and not \"\(SafeText.escape(setting ?? ""))\".")
        }
    }
}
