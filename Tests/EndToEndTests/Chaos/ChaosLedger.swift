import Client
import Contract

/// A record of a member's view of a room of two, in order.
struct ChaosLedger: Sendable {
    /// An ale's number, which is unique within one run of the room.
    struct Number: Hashable, Sendable {
        let epoch: String
        let seq: Int64
    }

    /// The epoch of the run of the room that this member was in last.
    private(set) var epoch = ""
    /// The member's own ales, in the order of their acknowledgements.
    private(set) var acknowledged: [(id: String, number: Number)] = []
    /// The other's ales, in the order in which they were heard.
    private(set) var heard: [Number] = []
    /// Unexpected events: dropped events, a room that started again, errors, the end.
    private(set) var surprises: [String] = []

    mutating func take(_ event: RoomEvent) {
        switch event {
        case .connected(let handshake, let isResumed):
            if !epoch.isEmpty && (!isResumed || epoch != handshake.epoch) { surprises.append("\(event)") }
            epoch = handshake.epoch
        case .ale(let ale): heard.append(Number(epoch: epoch, seq: ale.seq))
        case .acknowledged(let id, let seq):
            acknowledged.append((id, Number(epoch: epoch, seq: seq)))
        case .presence, .checkIn, .outcome, .status, .members, .announcement, .interrupted: break
        case .closed(.left): break
        case .refused, .givenUp, .missed, .moved, .closed: surprises.append("\(event)")
        }
    }

    /// Whether the numbers rise within one epoch: nothing twice, and nothing out of order.
    static func rises(_ numbers: [Number]) -> Bool {
        zip(numbers, numbers.dropFirst()).allSatisfy { $0.epoch == $1.epoch && $0.seq < $1.seq }
    }
}
