import Codecs
import Reactor

/// The number of times that each limit was reached, and the time of its last report. Any thread may use it.
final class LimitLedger: Sendable {
    /// The most names that are reported, for limits that are reported once for each name; further ones are
    /// only counted.
    static let maximumNames = 16

    private struct Entry {
        var count = 0
        var reports = RateMeter()
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
            return entry.reports.take(of: .onceAMinute, at: now)
        }
    }

    var counts: [LimitEvent: Int] { entries.withLock { $0.mapValues(\.count) } }
}
