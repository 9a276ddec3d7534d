import Contract
import Testing

@testable import Database

@Suite("Places for those who may wait for a lock")
struct LockPlacesStateTests {
    private static func slot(_ second: Int64) -> LockKey { .slot(Timestamp(seconds: second)) }
    private static func user(_ number: UInt128) -> LockKey { .user(Identifier(value: number)) }

    @Test("are one for a slot, so that a waiter for one slot blocks no other slot")
    func keys() {
        var state = LockPlacesState(places: 3)
        #expect(state.request(Self.slot(1), by: 1) == .enter)
        #expect(state.request(Self.slot(1), by: 2) == .wait)
        #expect(state.request(Self.slot(2), by: 3) == .enter)
        #expect(state.request(Self.slot(1), by: 4) == .wait)
        #expect(state.leave(Self.slot(1)) == [2])
        #expect(state.leave(Self.slot(1)) == [4])
        #expect(state.leave(Self.slot(2)) == [])
    }

    @Test("are half of them for users, who may wait for several slots, and one at least")
    func users() {
        var state = LockPlacesState(places: 4)
        for number in 1...2 { #expect(state.request(Self.user(UInt128(number)), by: number) == .enter) }
        #expect(state.request(Self.user(3), by: 3) == .wait)
        #expect(state.request(Self.slot(1), by: 4) == .enter)
        #expect(state.leave(Self.user(1)) == [3])
        var one = LockPlacesState(places: 1)
        #expect(one.request(Self.user(1), by: 1) == .enter)
    }

    @Test("are waited for in the order of arrival, but for callers that have given up")
    func queue() {
        var state = LockPlacesState(places: 1)
        #expect(state.request(Self.slot(1), by: 1) == .enter)
        #expect(state.request(Self.slot(2), by: 2) == .wait)
        #expect(state.request(Self.slot(3), by: 3) == .wait)
        #expect(state.abandon(2, Self.slot(2)) == true)
        #expect(state.abandon(2, Self.slot(2)) == false)
        #expect(state.waiting == 1)
        #expect(state.leave(Self.slot(1)) == [3])
        #expect(state.abandon(3, Self.slot(3)) == false)
    }

    @Test("go round, so that the callers of one slot, however many, do not hold up those of another")
    func turns() {
        var state = LockPlacesState(places: 1)
        #expect(state.request(Self.slot(1), by: 1) == .enter)
        for number in 2...4 { #expect(state.request(Self.slot(1), by: number) == .wait) }
        for number in 6...7 { #expect(state.request(Self.slot(2), by: number) == .wait) }
        // The slot whose place is given back comes after the others.
        #expect(state.leave(Self.slot(1)) == [6])
        #expect(state.leave(Self.slot(2)) == [2])
        #expect(state.leave(Self.slot(1)) == [7])
        #expect(state.leave(Self.slot(2)) == [3])
        #expect(state.leave(Self.slot(1)) == [4])
        #expect(state.leave(Self.slot(1)) == [])
        #expect(state.waiting == 0)
    }

    @Test("are found at once among 20,000 callers: the steps for the last of them take no longer")
    func many() {
        var state = LockPlacesState(places: 2)
        #expect(state.request(Self.slot(0), by: 0) == .enter)
        #expect(state.request(Self.user(0), by: 1) == .enter)
        // Half of the callers wait for one slot, the others each for their own user.
        for number in 2..<20_002 {
            let key = number.isMultiple(of: 2) ? Self.slot(0) : Self.user(UInt128(number))
            #expect(state.request(key, by: number) == .wait)
        }
        for number in stride(from: 20_001, to: 10_001, by: -2) {
            if !state.abandon(number, Self.user(UInt128(number))) { Issue.record("\(number)") }
        }
        var key = Self.user(0)
        for number in stride(from: 3, to: 10_002, by: 2) {
            if state.leave(key) != [number] { Issue.record("\(number)") }
            key = Self.user(UInt128(number))
        }
        for number in stride(from: 2, to: 20_002, by: 2) {
            if state.leave(Self.slot(0)) != [number] { Issue.record("\(number)") }
        }
        #expect(state.waiting == 0)
    }

    @Test("are given back by who does not get the lock in time, and who does so stays the first of its slot")
    func givingWay() {
        var state = LockPlacesState(places: 2)
        for number in 1...2 { #expect(state.request(Self.slot(Int64(number)), by: number) == .enter) }
        #expect(state.request(Self.slot(1), by: 3) == .wait)
        #expect(state.request(Self.slot(4), by: 4) == .wait)
        #expect(state.giveWay(Self.slot(1), by: 1) == [4])
        #expect(state.giveWay(Self.slot(2), by: 2) == [1])
        #expect(state.leave(Self.slot(4)) == [2])
        #expect(state.leave(Self.slot(1)) == [3])
        // No other caller waits.
        #expect(state.giveWay(Self.slot(2), by: 2) == [2])
        #expect(state.waiting == 0)
    }
}
