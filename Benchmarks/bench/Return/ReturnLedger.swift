import Client

/// A record of who is in its room, since when, and which ales each has heard, by the library's events.
struct ReturnLedger {
    private struct Stay {
        /// The instant of entry, in nanoseconds; nil when not in the room.
        var enteredAt: UInt64?
        var isResumed = false
        var isClosed = false
        /// The ales heard since the last `takeStock`.
        var heard = 0
    }

    /// The ales of one round: sent, lost and doubled.
    struct Stock: Equatable {
        var sent = 0
        var lost = 0
        var doubled = 0
    }

    private let roomSize: Int
    private var stays: [Stay]
    private var cheered: [Int]
    private(set) var presentCount = 0
    private(set) var closedCount = 0
    /// The number of events that were dropped since the bench itself was too slow.
    private(set) var missed = 0
    /// The ales heard since the last `takeStock`, by all.
    private(set) var heardCount = 0

    /// `clients` is a multiple of the room's size; the clients of a room have consecutive numbers.
    init(clients: Int, roomSize: Int) {
        self.roomSize = roomSize
        stays = Array(repeating: Stay(), count: clients)
        cheered = Array(repeating: 0, count: clients)
    }

    mutating func note(_ event: RoomEvent, of client: Int, at now: UInt64) {
        switch event {
        case .connected(_, let isResumed):
            if stays[client].enteredAt == nil { presentCount += 1 }
            stays[client].enteredAt = now
            stays[client].isResumed = isResumed
        case .interrupted: leave(client)
        case .closed:
            leave(client)
            if !stays[client].isClosed { closedCount += 1 }
            stays[client].isClosed = true
        case .ale:
            stays[client].heard += 1
            heardCount += 1
        case .missed(let count): missed += count
        case .acknowledged, .refused, .givenUp, .presence, .checkIn, .outcome, .status, .members, .moved,
            .announcement:
            break
        }
    }

    /// Records that the client has sent an ale, or queued one.
    mutating func cheered(_ client: Int) { cheered[client] += 1 }

    /// The number of deliveries due since the last `takeStock`.
    var expectedCount: Int { cheered.reduce(0, +) * (roomSize - 1) }

    /// Closes a round: missing deliveries count as lost, surplus ones as doubled.
    mutating func takeStock() -> Stock {
        var stock = Stock(sent: cheered.reduce(0, +))
        for client in stays.indices {
            let room = client / roomSize * roomSize
            let expected = cheered[room..<room + roomSize].reduce(0, +) - cheered[client]
            stock.lost += max(0, expected - stays[client].heard)
            stock.doubled += max(0, stays[client].heard - expected)
            stays[client].heard = 0
        }
        cheered = Array(repeating: 0, count: cheered.count)
        heardCount = 0
        return stock
    }

    /// Returns the time from `start` to the entry of each client in its room; zero for an entry before
    /// `start`.
    func returns(since start: UInt64) -> DurationHistogram {
        var histogram = DurationHistogram()
        for case let enteredAt? in stays.map(\.enteredAt) {
            histogram.add(enteredAt > start ? enteredAt - start : 0)
        }
        return histogram
    }

    /// The number of clients that came back without missing an ale.
    var resumedCount: Int { stays.count { $0.enteredAt != nil && $0.isResumed } }

    private mutating func leave(_ client: Int) {
        if stays[client].enteredAt != nil { presentCount -= 1 }
        stays[client].enteredAt = nil
    }
}
