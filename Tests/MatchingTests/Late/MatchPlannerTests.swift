import Codecs
import Testing

@testable import Matching

struct MatchPlannerTests {
    @Test("with no rooms, arrivals are cut into rooms")
    func firstMatch() {
        let placements = place(arrivals: [1, 2, 3, 4, 5])
        #expect(placements.map(opened) == [3, 2])
    }

    @Test("a first match depends on the generator only, not on who came first")
    func shuffles() {
        let plans = Set((0..<20).map { seed in place(arrivals: Array(1...8), seed: UInt64(seed)) })
        #expect(plans.count > 1)
    }

    @Test("an arrival joins a person who is alone")
    func alone() {
        #expect(place(arrivals: [9], in: [room(1, [2, 3]), room(4, [5])]) == [.join(room: 4, [9])])
    }

    @Test("those who are left over pair up among themselves")
    func pairUp() {
        let placements = place(arrivals: [7, 8, 9], in: [room(1, [2]), room(4, [5, 6])])
        #expect(placements.count == 2)
        guard case .join(room: 1, let joining) = placements[0], case .open(let opening) = placements[1] else {
            Issue.record("not as planned: \(placements)")
            return
        }
        #expect(Set(joining + opening) == [7, 8, 9])
        #expect(opening.count == 2)
    }

    @Test("a single one goes to the smallest room below the size")
    func smallest() {
        let rooms = [room(1, [11, 12, 13]), room(2, [21, 22]), room(3, [31, 32, 33, 34])]
        #expect(place(arrivals: [9], in: rooms, size: 4) == [.join(room: 2, [9])])
    }

    @Test("else to one of exactly the size")
    func exact() {
        let rooms = [room(1, [11, 12, 13]), room(2, [21, 22])]
        #expect(place(arrivals: [9], in: rooms) == [.join(room: 2, [9])])
    }

    @Test("else a larger room gives up a member who has not entered")
    func split() {
        let rooms = [
            room(1, [11, 12, 13], entered: [11, 13]), room(2, [21, 22, 23], entered: [21, 22, 23]),
        ]
        #expect(place(arrivals: [9], in: rooms) == [.split(room: 1, leaving: 12, arrivals: [9])])
    }

    @Test("else alone")
    func opensAlone() {
        let rooms = [room(1, [11, 12, 13], entered: [11, 12, 13]), room(2, [])]
        #expect(place(arrivals: [9], in: rooms) == [.open([9])])
    }

    @Test("the second of two joins the room where the first kept company, if there is no other")
    func bothJoin() {
        let placements = place(arrivals: [8, 9], in: [room(1, [11])])
        guard case .join(room: 1, let joining)? = placements.first else {
            Issue.record("not as planned: \(placements)")
            return
        }
        #expect(placements.count == 1)
        #expect(Set(joining) == [8, 9])
    }

    @Test("late ones of one placement are each offered what the others have made of the rooms")
    func oneAfterTheOther() {
        // Five arrivals may not meet each other, and none stays alone: the rooms are split, joined and split
        // again.
        let rooms = [room(1, [11, 12, 13]), room(2, [21, 22], entered: [21])]
        let arrivals = [5, 6, 7, 8, 9]
        let apart = arrivals.flatMap { one in arrivals.filter { $0 > one }.map { (one, $0) } }
        for seed in UInt64(0)..<50 {
            var random = SplitMix64(seed: seed)
            let placements = MatchPlanner.place(
                arrivals: arrivals, in: rooms, preferences: preferences(blocked: apart), roomSize: .pair,
                using: &random)
            #expect(!placements.contains { opened($0) != nil }, "seed \(seed): \(placements)")
        }
    }

    @Test("without arrivals nothing happens")
    func noArrivals() {
        #expect(place(arrivals: [], in: [room(1, [11])]).isEmpty)
    }

    private func opened(_ placement: Placement<Int>) -> Int? {
        guard case .open(let people) = placement else { return nil }
        return people.count
    }
}

func place(
    arrivals: [Int], in rooms: [OpenRoom<Int>] = [], size: Int = 2, seed: UInt64 = 1
) -> [Placement<Int>] {
    var generator = SplitMix64(seed: seed)
    return MatchPlanner.place(
        arrivals: arrivals, in: rooms, roomSize: RoomSize(size) ?? .pair, using: &generator)
}

func room(_ id: Int, _ members: [Int], entered: Set<Int> = []) -> OpenRoom<Int> {
    OpenRoom(id: id, members: members.map { .init(id: $0, hasEntered: entered.contains($0)) })
}
