import Reactor

extension RelayRun {
    /// The nanoseconds after which an ale that has not arrived is lost.
    private static let patience: UInt64 = 5_000_000_000
    private static let drainPatience: UInt64 = 3_000_000_000
    private static let scanInterval: UInt64 = 200_000_000
    private static let quietSeconds = 0.15
    /// The ales that a member sends in a row where members take turns with several ales in flight.
    private static let alesPerTurn: Int32 = 32

    /// Sends ales by the plan, measures between warm-up and end, and waits for the deliveries that are still
    /// due.
    mutating func load(_ report: inout RelayReport) {
        stage = .loading
        for room in 0..<plan.roomCount { touch(room: room) }
        let start = Monotonic.nanoseconds()
        let windowStart = start + UInt64(plan.warmUp * 1e9)
        let end = windowStart + UInt64(plan.duration * 1e9)
        var opened: (at: UInt64, server: ServerProcess, sent: Int)?
        var due = Double(start)
        var scanned = start
        while case let now = Monotonic.nanoseconds(), now < end {
            if opened == nil && now >= windowStart {
                opened = (now, serverNow, ledger.tally.sent)
                ledger.latency = DurationHistogram()
            }
            switch plan.load {
            case .closed(let inFlight): refill(inFlight)
            case .open(let rate): sendDue(&due, until: Double(now), interval: 1e9 / rate)
            }
            turn(milliseconds: plan.spins ? 0 : pause(until: due))
            if now - scanned > Self.scanInterval {
                scanned = now
                giveUp(before: now > Self.patience ? now - Self.patience : 0)
            }
        }
        if let opened {
            report.seconds = Self.seconds(from: opened.at, to: Monotonic.nanoseconds())
            report.sent = ledger.tally.sent - opened.sent
            report.setServer(from: opened.server, to: serverNow)
        }
        report.latency = ledger.latency
        drain()
    }

    mutating func touch(room: Int) {
        guard !turns[room].isTouched else { return }
        turns[room].isTouched = true
        touchedRooms.append(Int32(room))
    }

    /// Sends in the closed loop: each member that may send does.
    private mutating func refill(_ inFlight: Int) {
        for index in 0..<touchedRooms.count {
            let room = Int(touchedRooms[index])
            turns[room].isTouched = false
            let now = Monotonic.nanoseconds()
            if plan.sendersAtOnce > 1 {
                for member in (room * plan.roomSize)..<((room + 1) * plan.roomSize) {
                    send(from: member, upTo: inFlight, now)
                }
            } else {
                takeTurn(room, inFlight, now)
            }
        }
        touchedRooms.removeAll(keepingCapacity: true)
    }

    /// Sends for the member whose turn it is. The next member's turn begins when the room is quiet.
    private mutating func takeTurn(_ room: Int, _ inFlight: Int, _ now: UInt64) {
        let quota = inFlight == 1 ? 1 : Self.alesPerTurn
        if turns[room].sent >= quota {
            guard ledger.isQuiet(room: room) else { return }
            turns[room].sent = 0
            turns[room].place = (turns[room].place + 1) % Int32(plan.roomSize)
        }
        let member = room * plan.roomSize + Int(turns[room].place)
        let sent = send(
            from: member, upTo: min(inFlight, ledger.underWay(of: member) + Int(quota - turns[room].sent)),
            now)
        turns[room].sent += Int32(sent)
    }

    /// Sends ales until the member has `limit` in flight.
    @discardableResult
    private mutating func send(from member: Int, upTo limit: Int, _ now: UInt64) -> Int {
        var count = 0
        while ledger.underWay(of: member) < limit && ledger.send(from: member, at: now) { count += 1 }
        if count > 0 {
            members[member].queued += Int32(count)
            flush(member)
        }
        return count
    }

    /// Sends the due ales of the open loop, from random members. An ale that is sent late still counts from
    /// its due instant.
    private mutating func sendDue(_ due: inout Double, until now: Double, interval: Double) {
        var burst = 0
        while due <= now && burst < 256 {
            let member = Int(random.next(upperBound: UInt64(plan.memberCount)))
            if ledger.send(from: member, at: UInt64(due)) {
                members[member].queued += 1
                flush(member)
            } else {
                ledger.tally.unsent += 1
            }
            due += interval
            burst += 1
        }
    }

    private func pause(until due: Double) -> CInt {
        switch plan.load {
        case .closed: return 20
        case .open: return CInt(min(20, max(0, (due - Double(Monotonic.nanoseconds())) / 1e6)))
        }
    }

    private mutating func giveUp(before instant: UInt64) {
        for room in 0..<plan.roomCount where !ledger.isQuiet(room: room) {
            if ledger.giveUp(before: instant, in: room) { touch(room: room) }
        }
    }

    /// Waits without sending; ales that have not arrived by then are lost.
    private mutating func drain() {
        let end = Monotonic.nanoseconds() + Self.drainPatience
        while !ledger.isQuiet && Monotonic.nanoseconds() < end { turn(milliseconds: 20) }
        settle(Self.quietSeconds)
        giveUp(before: .max)
    }
}
