import Codecs
import Testing

@testable import bench

/// Tests of the ledger. Members 0 and 1 are the first room, 2 and 3 the second, unless a test says otherwise.
struct LedgerTests {
    @Test("a delivery to the other member completes an ale")
    func delivery() {
        var ledger = Ledger(rooms: 2, roomSize: 2, logCapacity: 16)
        let isSent = ledger.send(from: 0, at: 100)
        let (underWay, isQuiet) = (ledger.underWay(of: 0), ledger.isQuiet)
        #expect(isSent && underWay == 1 && !isQuiet)

        let isComplete = ledger.receive(at: 1, 350)
        let (left, mean, tally) = (ledger.underWay(of: 0), ledger.latency.mean, ledger.tally)
        #expect(isComplete && left == 0 && mean == 250)
        #expect(tally.isFaultless && tally.sent == 1 && tally.received == 1)
    }

    @Test("an ale is complete when all the others have it", arguments: [3, 50])
    func completion(size: Int) {
        var ledger = Ledger(rooms: 1, roomSize: size, logCapacity: 16)
        _ = ledger.send(from: 1, at: 0)
        var completions: [Int] = []
        for member in 0..<size where member != 1 {
            if ledger.receive(at: member, 1) { completions.append(member) }
        }
        let isFaultless = ledger.tally.isFaultless
        #expect(completions == [size - 1] && isFaultless)
    }

    @Test("an echo, a second delivery, and one in another room have no ale to explain them")
    func unexplained() {
        var ledger = Ledger(rooms: 2, roomSize: 2, logCapacity: 16)
        _ = ledger.send(from: 0, at: 0)
        _ = ledger.receive(at: 0, 1)
        _ = ledger.receive(at: 1, 1)
        _ = ledger.receive(at: 1, 2)
        _ = ledger.receive(at: 3, 3)
        let tally = ledger.tally
        #expect(tally.unexplained == 3 && !tally.isFaultless)
    }

    @Test("what never comes is lost, and what comes after that is late")
    func lossAndLateness() {
        var ledger = Ledger(rooms: 1, roomSize: 3, logCapacity: 16)
        _ = ledger.send(from: 0, at: 10)
        _ = ledger.receive(at: 1, 20)
        let isEarly = ledger.giveUp(before: 10, in: 0)
        let hasLost = ledger.giveUp(before: 11, in: 0)
        let (lost, underWay, isQuiet) = (ledger.tally.lost, ledger.underWay(of: 0), ledger.isQuiet)
        #expect(!isEarly && hasLost && lost == 1 && underWay == 0 && isQuiet)

        _ = ledger.receive(at: 2, 30)
        _ = ledger.receive(at: 1, 31)
        let tally = ledger.tally
        #expect(tally.lost == 0 && tally.late == 1 && tally.unexplained == 1)
    }

    @Test("a room whose log is full takes no further ale")
    func fullLog() {
        var ledger = Ledger(rooms: 2, roomSize: 2, logCapacity: 4)
        var taken = 0
        for _ in 0..<10 where ledger.send(from: 0, at: 0) { taken += 1 }
        let elsewhere = ledger.send(from: 2, at: 0)
        #expect(taken == 4 && elsewhere)
    }

    @Test("any order of deliveries that loses nothing is faultless")
    func anyOrder() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let (rooms, size) = (3, 4)
        var ledger = Ledger(rooms: rooms, roomSize: size, logCapacity: 64)
        var due = [Int](repeating: 0, count: rooms * size)
        for step in 0..<10_000 {
            let member = Int(random.next(upperBound: UInt64(rooms * size)))
            if random.next(upperBound: UInt64(size)) == 0 {
                guard ledger.send(from: member, at: UInt64(step)) else { continue }
                let first = member - member % size
                for other in first..<(first + size) where other != member { due[other] += 1 }
            } else if due[member] > 0 {
                due[member] -= 1
                _ = ledger.receive(at: member, UInt64(step))
            }
        }
        for member in due.indices {
            for _ in 0..<due[member] { _ = ledger.receive(at: member, 10_000) }
        }
        let (isQuiet, tally) = (ledger.isQuiet, ledger.tally)
        #expect(isQuiet && tally.isFaultless, "seed \(seed)")
        #expect(tally.received == tally.sent * (size - 1), "seed \(seed)")
    }
}
