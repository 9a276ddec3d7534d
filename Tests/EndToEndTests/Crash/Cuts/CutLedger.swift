import Client
import Contract

/// A record of what one member of a room sent, was acknowledged, and heard, in order.
struct CutLedger: Sendable {
    /// The time in one run of the room, from a handshake that started again to the next.
    struct Stay: Sendable {
        let epoch: String
        /// The latest ale before the stay.
        let since: Int64
        let begun: ContinuousClock.Instant
        /// The ales of the others, in the order in which they were heard.
        var heard: [(seq: Int64, from: Identifier)] = []
        /// The latest ale that was heard or acknowledged.
        var upTo: Int64
    }

    struct Acknowledgement: Sendable {
        let id: String
        let epoch: String
        let seq: Int64
        /// The instant at which the member cheered.
        let cheeredAt: ContinuousClock.Instant
        let at: ContinuousClock.Instant
    }

    let room: Identifier
    /// The member's registration; nil before the first handshake.
    private(set) var you: Identifier?
    private(set) var stays: [Stay] = []
    private(set) var acknowledged: [Acknowledgement] = []
    private(set) var isConnected = false
    /// The number of ales on their way as a stay in that epoch ended: each may have taken effect in it.
    private(set) var doubtful: [String: Int] = [:]
    /// The number of handshakes that resumed, and of those that started again.
    private(set) var resumed = 0
    private(set) var begunAnew = 0
    /// The latest states of the connection, for people who look for the reason of a violation.
    private(set) var states: [(at: ContinuousClock.Instant, state: ConnectionState)] = []
    /// The events that must not happen.
    private(set) var surprises: [String] = []
    private var cheeredAt: [String: ContinuousClock.Instant] = [:]

    mutating func note(_ state: ConnectionState) {
        if states.count == 20 { states.removeFirst() }
        states.append((at: .now, state: state))
    }

    init(room: Identifier) { self.room = room }

    /// The number of ales that are not acknowledged yet.
    var waiting: Int { cheeredAt.count }

    mutating func cheered(_ id: String, at now: ContinuousClock.Instant) { cheeredAt[id] = now }

    mutating func take(_ event: RoomEvent, at now: ContinuousClock.Instant) {
        switch event {
        case .connected(let handshake, let isResumed): enter(handshake, isResumed, at: now)
        case .ale(let ale):
            guard let last = stays.indices.last else { return surprises.append("an ale before a handshake") }
            stays[last].heard.append((ale.seq, ale.from))
            stays[last].upTo = max(stays[last].upTo, ale.seq)
        case .acknowledged(let id, let seq):
            guard let last = stays.indices.last, let cheered = cheeredAt.removeValue(forKey: id) else {
                return surprises.append("\(id) was acknowledged twice, or before a handshake")
            }
            stays[last].upTo = max(stays[last].upTo, seq)
            acknowledged.append(
                Acknowledgement(
                    id: id, epoch: stays[last].epoch, seq: seq, cheeredAt: cheered, at: now))
        case .interrupted: isConnected = false
        case .presence, .checkIn, .outcome, .status, .members, .announcement: break
        case .moved(let id): if id != room { surprises.append("\(event)") }
        case .closed(.left): isConnected = false
        case .refused, .givenUp, .missed, .closed: surprises.append("\(event)")
        }
    }

    private mutating func enter(
        _ handshake: ServerMessage.Handshake, _ isResumed: Bool, at now: ContinuousClock.Instant
    ) {
        isConnected = true
        you = handshake.you
        if handshake.room != room { surprises.append("in room \(handshake.room), and not in \(room)") }
        guard let last = stays.last else {
            stays.append(
                Stay(epoch: handshake.epoch, since: handshake.seq, begun: now, upTo: handshake.seq))
            return
        }
        if isResumed {
            resumed += 1
            if handshake.seq < last.upTo {
                surprises.append("recovered at \(handshake.seq), and \(last.upTo) were there")
            }
            return
        }
        begunAnew += 1
        if handshake.recovered && handshake.epoch != last.epoch {
            surprises.append("recovered in \(handshake.epoch), and was in \(last.epoch)")
        }
        doubtful[last.epoch, default: 0] += waiting
        stays.append(Stay(epoch: handshake.epoch, since: handshake.seq, begun: now, upTo: handshake.seq))
    }
}
