import Reactor

/// How often each limit was reached, and when somebody was last told of it. Any thread.
final class LimitLedger: Sendable {
    /// A limit that is reached all the time is told of once in that many nanoseconds, and no log is flooded.
    static let quiet: UInt64 = 60_000_000_000
    /// As many names are told of where each is told of once; from then on they are only counted.
    static let maximumNames = 16

    private struct Entry {
        var count = 0
        var toldAt: UInt64?
        var names: Set<String> = []
    }

    private let entries = Lock<[LimitEvent: Entry]>([:])

    /// Counts it; true where it is to be told of. `name` is whom it is about, and `now` monotonic
    /// nanoseconds.
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
