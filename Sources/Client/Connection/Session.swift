import WebSocket

/// The life of one connection to a room: its WebSocket and, once the room is entered, its heartbeat.
struct Session: Sendable {
    enum Step: Hashable, Sendable {
        case nothing
        /// There is output, which has to be written.
        case write
        /// The link has been silent for too long.
        case giveUp
    }

    private static let intervals: ClosedRange<Int64> = 1...3600

    private var link = WebSocketLink()
    private var heartbeat: Heartbeat?

    var isInRoom: Bool { heartbeat != nil }

    /// The instant of the next call of `tick`; nil before the room is entered.
    var due: Duration? { heartbeat?.due }

    /// Returns the bytes to write, and forgets them.
    mutating func takeOutput() -> [UInt8] { link.takeOutput() }

    mutating func send(text: [UInt8]) { link.send(text: text) }

    /// Says goodbye to the server.
    mutating func leave() { link.close(.normal) }

    mutating func receive(_ bytes: [UInt8], at now: Duration) -> [WebSocketLink.Event] {
        if !bytes.isEmpty { heartbeat?.heard(at: now) }
        return link.receive(bytes)
    }

    /// Returns the round-trip time; nil for an answer without a ping.
    mutating func answered(_ number: UInt64, at now: Duration) -> Duration? {
        heartbeat?.answered(number, at: now)
    }

    /// Begins the heartbeat, with the interval that the server asks for.
    mutating func entered(pingSeconds: Int64, at now: Duration) -> Step {
        let seconds = min(max(pingSeconds, Self.intervals.lowerBound), Self.intervals.upperBound)
        heartbeat = Heartbeat(interval: .seconds(seconds), now: now)
        return tick(at: now)
    }

    /// Pings the server if that is due, and gives the link up after too long a silence.
    mutating func tick(at now: Duration) -> Step { perform(heartbeat?.tick(at: now)) }

    /// Pings the server at once: the link may be lost.
    mutating func check(at now: Duration) -> Step { perform(heartbeat?.check(at: now)) }

    private mutating func perform(_ step: Heartbeat.Step?) -> Step {
        switch step {
        case nil, .nothing: return .nothing
        case .giveUp: return .giveUp
        case .ping(let number):
            link.ping(number)
            return .write
        }
    }
}
