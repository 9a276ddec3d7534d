/// The counts of repeated messages: within a second the first few lines are written, and the rest is counted
/// and reported once.
struct LogRepeats {
    /// A report of lines that were not written.
    struct Told: Equatable, Sendable {
        package var level: Log.Level
        /// The message; empty for several messages.
        package var message: String
        package var count: Int
    }

    /// The number of lines of one message that are written in a second.
    package static let written = 10
    /// The number of messages that are counted separately. Further ones share one count.
    static let messages = 256
    private static let second: UInt64 = 1_000_000_000

    private struct Key: Hashable {
        var level: Log.Level
        var message: String
    }

    private struct Entry {
        var since: UInt64
        var written = 0
        var repeats = 0
    }

    private var entries: [Key: Entry] = [:]
    /// The total number of lines that were not written.
    package private(set) var total = 0

    /// Counts a line. Returns whether it is to be written, and the report to write before it. `now` is in
    /// monotonic nanoseconds.
    package mutating func note(_ level: Log.Level, _ message: String, now: UInt64) -> (
        told: Told?, isWritten: Bool
    ) {
        let key = key(level, message, now)
        var entry = entries[key] ?? Entry(since: now)
        defer { entries[key] = entry }
        var told: Told?
        if now >= entry.since &+ Self.second {
            if entry.repeats > 0 {
                told = Told(level: key.level, message: key.message, count: entry.repeats)
            }
            entry = Entry(since: now)
        }
        if entry.written < Self.written {
            entry.written += 1
            return (told, true)
        }
        entry.repeats += 1
        total += 1
        return (told, false)
    }

    /// The earliest instant at which a report is due, in monotonic nanoseconds.
    package var nextDue: UInt64? {
        entries.values.lazy.filter { $0.repeats > 0 }.map { $0.since &+ Self.second }.min()
    }

    /// Returns the reports that are due, or all of them if `now` is nil, and removes expired counts.
    mutating func takeDue(now: UInt64?) -> [Told] {
        var told: [Told] = []
        for (key, entry) in entries where now.map({ $0 >= entry.since &+ Self.second }) ?? true {
            if entry.repeats > 0 {
                told.append(Told(level: key.level, message: key.message, count: entry.repeats))
            }
            entries[key] = nil
        }
        return told
    }

    private mutating func key(_ level: Log.Level, _ message: String, _ now: UInt64) -> Key {
        let key = Key(level: level, message: message)
        if entries[key] != nil || entries.count < Self.messages { return key }
        entries = entries.filter { $0.value.repeats > 0 || now < $0.value.since &+ Self.second }
        return entries.count < Self.messages ? key : Key(level: level, message: "")
    }
}
