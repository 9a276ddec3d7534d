/// When a link is asked whether it lives, and when it is given up. Instants are those of a `ClientClock`.
///
/// It is asked once in an interval, and given up where it was silent for one and a half: at least half an
/// interval after it was asked.
struct Heartbeat: Sendable {
    enum Step: Hashable, Sendable {
        case nothing
        /// Ask, with that number.
        case ping(UInt64)
        case giveUp
    }

    /// A link that may have gone while nobody looked gets no longer than this to prove that it is there.
    static let longestProbe = Duration.seconds(5)

    let interval: Duration
    private var lastHeard: Duration
    private var nextPing: Duration
    /// What was asked and is not answered, the oldest first.
    private var awaited: [(number: UInt64, sentAt: Duration)] = []
    private var number: UInt64 = 0
    /// Nobody looked until now, so it has until then to answer.
    private var grace: Duration?
    /// Something has to be heard until then.
    private var probe: Duration?

    /// The link has just been heard.
    init(interval: Duration, now: Duration) {
        self.interval = interval
        lastHeard = now
        nextPing = now
    }

    /// When `tick` is to be called next.
    var due: Duration { min(nextPing, end) }

    /// Anything that came shows that the link lives.
    mutating func heard(at now: Duration) {
        lastHeard = now
        grace = nil
        probe = nil
    }

    /// The round-trip time; nil for an answer to nothing.
    mutating func answered(_ number: UInt64, at now: Duration) -> Duration? {
        guard let index = awaited.firstIndex(where: { $0.number == number }) else { return nil }
        let sentAt = awaited[index].sentAt
        awaited.removeSubrange(...index)
        return now - sentAt
    }

    mutating func tick(at now: Duration) -> Step {
        // Woken far too late: the process was suspended, and what came meanwhile is not read yet.
        if now > due + interval / 2, grace == nil {
            grace = now + interval / 2
            return ask(at: now)
        }
        if now >= end { return .giveUp }
        return now >= nextPing ? ask(at: now) : .nothing
    }

    /// Asks at once: the link may have gone with the network, or with a suspension.
    mutating func check(at now: Duration) -> Step {
        probe = now + min(interval / 2, Self.longestProbe)
        return ask(at: now)
    }

    private var end: Duration {
        let patience = interval + interval / 2
        var end = lastHeard + patience
        // Ours may be lost while theirs arrive.
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
