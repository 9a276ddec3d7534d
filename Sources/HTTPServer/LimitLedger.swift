import Reactor

/// The number of times that each limit was reached, and the time of its last report. Any thread may use it.
final class LimitLedger: Sendable {
    /// The nanoseconds between two reports of the same limit, so that the log is not flooded.
    static let quiet: UInt64 = 60_000_000_000
    /// The most names that are reported, for limits that are reported once for each name; further ones are
    /// only counted.
    static let maximumNames = 16

    private struct Entry {
        var count = 0
        var toldAt: UInt64?
        var names: Set<String> = []
    }

    private let entries = Lock<[LimitEvent: Entry]>([:])

    /// Counts the event; returns whether it is to be reported. `name` is the address that it concerns, and
    /// `now` is in monotonic nanoseconds.
    func add(_ event: LimitEvent, _ name: @autoclosure () -> String = "", now: UInt64) -> Bool {
        entries.withLock { entries in
            var entry = entries[event] ?? Entry()
            defer { entries[event] = entry }
            entry.count += 1
            if event.isToldOnceForEach {
                return entry.names.count < Self.maximumNames && entry.names.insert(name()).inserted
            }
            if let toldAt = entry.toldAt, now < toldAt &+ Self.quiet { return false }
            entry.toldAt = now
            return true
        }
    }

    var counts: [LimitEvent: Int] { entries.withLock { $0.mapValues(\.count) } }
}
