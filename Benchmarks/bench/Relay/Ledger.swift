/// The accounts of a run: which ales were sent in which room, and who has received them.
///
/// A room keeps a log of its ales, and a member a cursor into it that skips its own. Each delivery takes the
/// next entry; a delivery without an entry is wrong, and an entry that is not taken is lost. With two
/// members, or one sender at a time, that is exact. With more, version 1 does not say which ale was
/// delivered, and deliveries take the entries in the order of sending: then counts and mean latency are
/// exact, percentiles nearly.
///
/// Unsafe memory, since a million deliveries a second leave no time for anything else: the buffers have the
/// sizes that `init` gives them, and every index is a member's, a room's, or masked by the log's capacity.
struct Ledger: ~Copyable {
    private struct RoomLog {
        /// The numbers of the oldest ale in flight, and of the next one.
        var head: UInt32 = 0
        var tail: UInt32 = 0
    }

    private struct Account {
        /// The number of the next ale that the member may receive.
        var cursor: UInt32 = 0
        /// The member's own ales in flight.
        var underWay: Int32 = 0
        /// The deliveries to the member that were given up.
        var givenUp: Int32 = 0
    }

    let roomSize: Int
    private let mask: UInt32
    private let logs: UnsafeMutableBufferPointer<RoomLog>
    private let accounts: UnsafeMutableBufferPointer<Account>
    private let ales: UnsafeMutableBufferPointer<Ale>
    var tally = Tally()
    /// The latency from the sending to each delivery.
    var latency = DurationHistogram()

    init(rooms: Int, roomSize: Int, logCapacity: Int) {
        precondition(logCapacity.nonzeroBitCount == 1, "a mask picks the place in the log")
        self.roomSize = roomSize
        mask = UInt32(logCapacity - 1)
        logs = .allocate(capacity: rooms)
        logs.initialize(repeating: RoomLog())
        accounts = .allocate(capacity: rooms * roomSize)
        accounts.initialize(repeating: Account())
        ales = .allocate(capacity: rooms * logCapacity)
        ales.initialize(repeating: Ale(sentAt: 0, sender: 0, missing: 0))
    }

    deinit {
        logs.deallocate()
        accounts.deallocate()
        ales.deallocate()
    }

    /// Returns the number of the member's ales in flight.
    func underWay(of member: Int) -> Int { Int(accounts[member].underWay) }

    /// Whether no ale of the room is in flight.
    func isQuiet(room: Int) -> Bool { logs[room].head == logs[room].tail }

    var isQuiet: Bool { logs.allSatisfy { $0.head == $0.tail } }

    /// Records an ale. Returns false when the room's log is full, and the ale must not be sent.
    mutating func send(from member: Int, at instant: UInt64) -> Bool {
        let room = member / roomSize
        guard logs[room].tail &- logs[room].head <= mask else { return false }
        ales[place(logs[room].tail, in: room)] = Ale(
            sentAt: instant, sender: Int32(member - room * roomSize), missing: Int32(roomSize - 1))
        logs[room].tail &+= 1
        accounts[member].underWay += 1
        tally.sent += 1
        return true
    }

    /// Records a delivery. Returns true when it completes the delivery of an ale to all members.
    mutating func receive(at member: Int, _ now: UInt64) -> Bool {
        let room = member / roomSize
        let receiver = Int32(member - room * roomSize)
        tally.received += 1
        // Completed ales leave the log, so a cursor may be behind its head.
        let log = logs[room]
        var cursor = accounts[member].cursor
        if Int32(bitPattern: cursor &- log.head) < 0 { cursor = log.head }
        while cursor != log.tail {
            let ale = ales[place(cursor, in: room)]
            if ale.sender != receiver && ale.missing > 0 { break }
            cursor &+= 1
        }
        guard cursor != log.tail else {
            accounts[member].cursor = cursor
            blame(member)
            return false
        }
        accounts[member].cursor = cursor &+ 1
        let index = place(cursor, in: room)
        latency.add(now > ales[index].sentAt ? now - ales[index].sentAt : 0)
        ales[index].missing -= 1
        guard ales[index].missing == 0 else { return false }
        accounts[room * roomSize + Int(ales[index].sender)].underWay -= 1
        forgetComplete(in: room)
        return true
    }

    /// Counts the missing deliveries of ales that were sent before the instant as lost. Returns whether there
    /// were any.
    mutating func giveUp(before instant: UInt64, in room: Int) -> Bool {
        var hasLost = false
        var number = logs[room].head
        while number != logs[room].tail {
            let index = place(number, in: room)
            let ale = ales[index]
            if ale.missing > 0 && ale.sentAt < instant {
                hasLost = true
                tally.lost += Int(ale.missing)
                for other in 0..<roomSize where other != Int(ale.sender) {
                    let member = room * roomSize + other
                    // The member has received every ale that its cursor has passed.
                    if Int32(bitPattern: accounts[member].cursor &- number) <= 0 {
                        accounts[member].givenUp += 1
                    }
                }
                ales[index].missing = 0
                accounts[room * roomSize + Int(ale.sender)].underWay -= 1
            }
            number &+= 1
        }
        forgetComplete(in: room)
        return hasLost
    }

    /// Counts a delivery for which there is no ale.
    private mutating func blame(_ member: Int) {
        if accounts[member].givenUp > 0 {
            accounts[member].givenUp -= 1
            tally.lost -= 1
            tally.late += 1
        } else {
            tally.unexplained += 1
        }
    }

    private func forgetComplete(in room: Int) {
        while logs[room].head != logs[room].tail, ales[place(logs[room].head, in: room)].missing == 0 {
            logs[room].head &+= 1
        }
    }

    private func place(_ number: UInt32, in room: Int) -> Int {
        room * Int(mask &+ 1) + Int(number & mask)
    }
}
