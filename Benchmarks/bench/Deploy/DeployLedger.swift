import Client
import Contract

/// A record of all ales of rooms of two: when each was sent, and when it was heard, by the library's events.
/// The members 2n and 2n + 1 share a room.
struct DeployLedger {
    /// An ale by its room, the run of the room, and its number in it.
    private struct Number: Hashable {
        let room: Int
        let epoch: Int
        let seq: Int64
    }

    /// The time of one member in one run of its room.
    private struct Stay {
        let epoch: Int
        let since: Int64
        var upTo: Int64
    }

    /// The ales that were on their way as a stay ended are doubtful: each may have taken effect in it.
    struct Stock: Equatable {
        var acknowledged = 0
        var unanswered = 0
        var lost = 0
        var doubled = 0
        var doubtful = 0
    }

    private var isPresent: [Bool]
    private var stays: [[Stay]]
    private var waiting: [[String: UInt64]]
    private var epochs: [[String]]
    private var sent: [Number: UInt64] = [:]
    private var heard: [Number: UInt64] = [:]
    private var doubtful = 0
    private(set) var resumed = 0
    private(set) var begunAnew = 0
    /// Ales that were heard again, dropped events, refusals and ends.
    private(set) var surprises = 0

    init(members: Int) {
        isPresent = Array(repeating: false, count: members)
        stays = Array(repeating: [], count: members)
        waiting = Array(repeating: [:], count: members)
        epochs = Array(repeating: [], count: (members + 1) / 2)
    }

    var presentCount: Int { isPresent.count { $0 } }

    /// The number of ales without an acknowledgement.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    mutating func send(_ id: String, from member: Int, at now: UInt64) { waiting[member][id] = now }

    mutating func note(_ event: RoomEvent, of member: Int, at now: UInt64) {
        let room = member / 2
        switch event {
        case .connected(let handshake, let isResumed):
            isPresent[member] = true
            if isResumed {
                resumed += 1
                return
            }
            if !stays[member].isEmpty {
                begunAnew += 1
                doubtful += waiting[member].count
            }
            let epoch = index(of: handshake.epoch, in: room)
            stays[member].append(Stay(epoch: epoch, since: handshake.seq, upTo: handshake.seq))
        case .ale(let ale):
            guard let number = move(member, to: ale.seq) else {
                surprises += 1
                return
            }
            if heard.updateValue(now, forKey: number) != nil { surprises += 1 }
        case .acknowledged(let id, let seq):
            guard let sentAt = waiting[member].removeValue(forKey: id), let number = move(member, to: seq)
            else {
                surprises += 1
                return
            }
            sent[number] = sentAt
        case .interrupted: isPresent[member] = false
        case .closed(.left), .presence, .checkIn, .outcome, .status, .members, .moved, .announcement: break
        case .refused, .givenUp, .missed, .closed: surprises += 1
        }
    }

    /// Returns what became of the ales. The members are to be silent, and to have heard everything.
    func stock() -> Stock {
        var stock = Stock(acknowledged: sent.count, unanswered: waitingCount, doubtful: doubtful)
        for number in sent.keys where heard[number] == nil && isDue(number) { stock.lost += 1 }
        // An ale that was heard and has no acknowledgement took effect a second time, or was on its way as
        // its sender began anew.
        stock.doubled = max(0, heard.keys.count { sent[$0] == nil } - doubtful - stock.unanswered)
        return stock
    }

    /// Whether everything that was acknowledged and is due was heard.
    var isSettled: Bool { waitingCount == 0 && sent.keys.allSatisfy { heard[$0] != nil || !isDue($0) } }

    /// Returns the times from the sending to the hearing of the ales that were sent in that time.
    func times(of range: Range<UInt64>) -> DurationHistogram {
        var histogram = DurationHistogram()
        for (number, sentAt) in sent where range.contains(sentAt) {
            if let at = heard[number] { histogram.add(at > sentAt ? at - sentAt : 0) }
        }
        return histogram
    }

    /// Whether both members have a stay that the ale belongs to: its sender has, and its hearer may not.
    private func isDue(_ number: Number) -> Bool {
        [2 * number.room, 2 * number.room + 1].allSatisfy { member in
            stays[member].enumerated().contains { place, stay in
                stay.epoch == number.epoch && stay.since < number.seq
                    && (place == stays[member].count - 1 || number.seq <= stay.upTo)
            }
        }
    }

    private mutating func move(_ member: Int, to seq: Int64) -> Number? {
        guard let last = stays[member].indices.last else { return nil }
        stays[member][last].upTo = max(stays[member][last].upTo, seq)
        return Number(room: member / 2, epoch: stays[member][last].epoch, seq: seq)
    }

    private mutating func index(of epoch: String, in room: Int) -> Int {
        if let known = epochs[room].firstIndex(of: epoch) { return known }
        epochs[room].append(epoch)
        return epochs[room].count - 1
    }
}
