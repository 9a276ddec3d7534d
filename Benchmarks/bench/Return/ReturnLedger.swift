import Client

/// Who is in its room, since when, and what each has heard: written down as the library tells it.
struct ReturnLedger {
    private struct Stay {
        /// In nanoseconds; nil: not in the room.
        var enteredAt: UInt64?
        var isResumed = false
        var isClosed = false
        /// Ales since the last `takeStock`.
        var heard = 0
    }

    /// How the ales of one round have arrived.
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
    /// Events that the bench itself was too slow for.
    private(set) var missed = 0
    /// Since the last `takeStock`.
    private(set) var heardCount = 0

    /// `clients` is a multiple of the room's size; those of a room have numbers in a row.
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
        case .acknowledged, .refused, .presence, .members, .moved: break
        }
    }

    /// The client has sent an ale, or has it in its queue.
    mutating func cheered(_ client: Int) { cheered[client] += 1 }

    /// How many ales should have been heard since the last `takeStock`.
    var expectedCount: Int { cheered.reduce(0, +) * (roomSize - 1) }

    /// Closes a round: what was sent in it and not heard is lost, and what is heard beyond it doubled.
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

    /// How long after that instant each who is in the room had come: nothing for whoever was there before.
    func returns(since start: UInt64) -> Histogram {
        var histogram = Histogram()
        for case let enteredAt? in stays.map(\.enteredAt) {
            histogram.add(enteredAt > start ? enteredAt - start : 0)
        }
        return histogram
    }

    /// Those who came back with nothing missed.
    var resumedCount: Int { stays.count { $0.enteredAt != nil && $0.isResumed } }

    private mutating func leave(_ client: Int) {
        if stays[client].enteredAt != nil { presentCount -= 1 }
        stays[client].enteredAt = nil
    }
}
