import Reactor

extension RelayRun {
    private static let patience: UInt64 = 500_000_000
    private static let quietSeconds = 0.15

    /// Sends one ale at a time with nothing else in flight, so that it is certain who got it, and who should
    /// not have.
    mutating func probeRooms() {
        stage = .probing
        let count = min(plan.probes, plan.roomCount)
        for index in 0..<count {
            let room = index * plan.roomCount / count
            let first = room * plan.roomSize
            for member in first..<(first + plan.roomSize) { members[member].wasProbed = false }
            probe = Probe(room: room, sender: first + index % plan.roomSize, missing: plan.roomSize - 1)
            members[probe.sender].queued += 1
            members[probe.sender].hasProbed = true
            ledger.tally.probes += 1
            flush(probe.sender)
            let end = Monotonic.nanoseconds() + Self.patience
            while probe.missing > 0 && Monotonic.nanoseconds() < end {
                turn(milliseconds: plan.spins ? 0 : 20)
            }
            ledger.tally.lost += probe.missing
        }
        settle(Self.quietSeconds)
    }

    mutating func probeArrived(_ member: Int) {
        if members[member].hasProbed {
            ledger.tally.echoed += 1
        } else if members[member].wasProbed {
            ledger.tally.doubled += 1
        } else if member / plan.roomSize == probe.room {
            members[member].wasProbed = true
            probe.missing -= 1
        } else {
            ledger.tally.misrouted += 1
        }
    }
}
