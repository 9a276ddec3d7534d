import Client
import Contract

/// What one of two has seen of their room, in order.
struct ChaosLedger: Sendable {
    /// An ale's number, which is unique within one run of the room.
    struct Number: Hashable, Sendable {
        let epoch: String
        let seq: Int64
    }

    /// Of the run of the room that this member was in last.
    private(set) var epoch = ""
    /// One's own ales, as they were acknowledged.
    private(set) var acknowledged: [(id: String, number: Number)] = []
    /// The other's ales, as they were heard.
    private(set) var heard: [Number] = []
    /// What should not be there: events that were dropped, refusals, the end.
    private(set) var surprises: [String] = []

    mutating func take(_ event: RoomEvent) {
        switch event {
        case .connected(let handshake, _): epoch = handshake.epoch
        case .ale(let ale): heard.append(Number(epoch: epoch, seq: ale.seq))
        case .acknowledged(let id, let seq):
            acknowledged.append((id, Number(epoch: epoch, seq: seq)))
        case .presence, .members, .interrupted: break
        case .closed(.left): break
        case .refused, .missed, .moved, .closed: surprises.append("\(event)")
        }
    }

    /// The numbers of each run of the room rise: nothing twice, and nothing out of order.
    static func rises(_ numbers: [Number]) -> Bool {
        var last: [String: Int64] = [:]
        for number in numbers {
            if number.seq <= last[number.epoch] ?? 0 { return false }
            last[number.epoch] = number.seq
        }
        return true
    }
}
