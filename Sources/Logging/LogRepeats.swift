/// Lines that say the same within a second: the first few are written, and the rest is counted and told once.
struct LogRepeats {
    /// Lines that were not written.
    struct Told: Equatable, Sendable {
        package var level: Log.Level
        /// Empty: of several messages.
        package var message: String
        package var count: Int
    }

    /// Lines of one message that are written in a second.
    package static let written = 10
    /// Messages that are told apart. Those beyond them share one count.
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
    /// Lines that were not written, ever.
    package private(set) var total = 0

    /// Says whether a line with this message is to be written, and what has to be told before it. `now` is
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

    /// The earliest instant at which something has to be told.
    package var nextDue: UInt64? {
        entries.values.lazy.filter { $0.repeats > 0 }.map { $0.since &+ Self.second }.min()
    }

    /// What is to be told by now; with nil, all there is. What is over is forgotten.
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
