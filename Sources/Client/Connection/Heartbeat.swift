/// The schedule by which a link is pinged and given up. Instants are those of a `ClientClock`.
///
/// A link is pinged once in an interval, and given up after one and a half intervals of silence: at least
/// half an interval after the ping.
struct Heartbeat: Sendable {
    enum Step: Hashable, Sendable {
        case nothing
        /// Send a ping with that number.
        case ping(UInt64)
        case giveUp
    }

    /// The longest time for an answer from a link that may have been lost in a suspension or with the
    /// network.
    static let longestProbe = Duration.seconds(5)

    let interval: Duration
    private var lastHeard: Duration
    private var nextPing: Duration
    /// The pings that are not answered, oldest first.
    private var awaited: [(number: UInt64, sentAt: Duration)] = []
    private var number: UInt64 = 0
    /// The instant before which a link is not given up after a suspension.
    private var grace: Duration?
    /// The instant by which something has to be heard.
    private var probe: Duration?

    /// Starts with a link that has just been heard.
    init(interval: Duration, now: Duration) {
        self.interval = interval
        lastHeard = now
        nextPing = now
    }

    /// The instant of the next call of `tick`.
    var due: Duration { min(nextPing, end) }

    /// Records that something arrived, which shows that the link is alive.
    mutating func heard(at now: Duration) {
        lastHeard = now
        grace = nil
        probe = nil
    }

    /// Returns the round-trip time; nil for an answer without a ping.
    mutating func answered(_ number: UInt64, at now: Duration) -> Duration? {
        guard let index = awaited.firstIndex(where: { $0.number == number }) else { return nil }
        let sentAt = awaited[index].sentAt
        awaited.removeSubrange(...index)
        return now - sentAt
    }

    mutating func tick(at now: Duration) -> Step {
        // A very late call means that the process was suspended, and that later input is not read yet.
        if now > due + interval / 2, grace == nil {
            grace = now + interval / 2
            return ask(at: now)
        }
        if now >= end { return .giveUp }
        return now >= nextPing ? ask(at: now) : .nothing
    }

    /// Pings at once: the link may have been lost with the network, or in a suspension.
    mutating func check(at now: Duration) -> Step {
        probe = now + min(interval / 2, Self.longestProbe)
        return ask(at: now)
    }

    private var end: Duration {
        let patience = interval + interval / 2
        var end = lastHeard + patience
        // Our bytes may be lost while the peer's arrive.
        if let oldest = awaited.first { end = min(end, oldest.sentAt + patience) }
        if let grace { end = max(end, grace) }
        if let probe { end = min(end, probe) }
        return end
    }

    private mutating func ask(at now: Duration) -> Step {
        number += 1
        awaited.append((number, now))
        nextPing = now + interval
        return .ping(number)
    }
}
