import Codecs
import Testing

@testable import Matching

struct RematchTests {
    @Test("of two who are alone, one goes to a room whose absent member may still turn up")
    func two() {
        let moves = rematch([room(1, present: [11]), room(2, present: [21], absent: [22])])
        #expect(moves == [Move(11, from: 1, to: 2)])
    }

    @Test("three make a room of three, or with pairs only one stays alone")
    func three() {
        let rooms = [room(1, present: [11]), room(2, present: [21]), room(3, present: [31])]
        #expect(rematch(rooms).count == 2)
        #expect(Set(rematch(rooms).map(\.to)).count == 1)
        #expect(rematch(rooms, trios: false).count == 1)
    }

    @Test("one alone joins a pair as a third, if that is wanted")
    func third() {
        let rooms = [room(1, present: [11], absent: [12]), room(2, present: [21, 22])]
        #expect(rematch(rooms) == [Move(11, from: 1, to: 2)])
        #expect(rematch(rooms, trios: false).isEmpty)
    }

    @Test("the person who blocked the absent partner stays, and the other one comes")
    func absentBlock() {
        let rooms = [room(1, present: [11]), room(2, present: [21], absent: [22])]
        #expect(rematch(rooms, blocked: [(11, 22)]) == [Move(21, from: 2, to: 1)])
        #expect(rematch(rooms, blocked: [(11, 21)]).isEmpty)
    }

    @Test("no person meets a blocked one, or moves twice, or to an empty room")
    func properties() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        for round in 0..<300 {
            var next = 100
            func people(_ most: Int) -> [Int] {
                (0..<Int.random(in: 0...most, using: &random)).map { _ in
                    next += 1
                    return next
                }
            }
            let rooms = (1...6).map { room($0, present: people(3), absent: people(2)) }
            let blocked = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ -> (Int, Int)? in
                let pair = (
                    Int.random(in: 100...next, using: &random), Int.random(in: 100...next, using: &random)
                )
                return pair.0 == pair.1 ? nil : pair
            }
            let trios = Bool.random(using: &random)
            let moves = rematch(rooms, blocked: blocked, trios: trios)
            let context: Comment = "seed \(seed), round \(round): \(rooms) \(blocked) \(trios): \(moves)"
            var members = Dictionary(uniqueKeysWithValues: rooms.map { ($0.id, $0.members.map(\.id)) })
            for move in moves {
                let present = rooms.first { $0.id == move.from }?.members.filter { !$0.isAbsent }.map(\.id)
                #expect(present == [move.member], context)
                members[move.from]?.removeAll { $0 == move.member }
                members[move.to]?.append(move.member)
            }
            #expect(Set(moves.map(\.from)).isDisjoint(with: moves.map(\.to)), context)
            for move in moves {
                let others = members[move.to] ?? []
                let meets = blocked.contains {
                    others.contains($0.0) && others.contains($0.1)
                        && (move.member == $0.0 || move.member == $0.1)
                }
                #expect(!meets, context)
            }
            let lonely = rooms.count { $0.members.count { !$0.isAbsent } == 1 }
            if blocked.isEmpty, lonely > 1 { #expect(moves.count >= lonely / 2, context) }
        }
    }

    private func room(_ id: Int, present: [Int], absent: [Int] = []) -> OpenRoom<Int> {
        OpenRoom(
            id: id,
            members: present.map { .init(id: $0, hasEntered: true) }
                + absent.map { .init(id: $0, hasEntered: false, isAbsent: true) })
    }

    private func rematch(
        _ rooms: [OpenRoom<Int>], blocked: [(Int, Int)] = [], trios: Bool = true
    ) -> [Move<Int>] {
        var random = SplitMix64(seed: 1)
        return MatchPlanner.rematch(
            rooms, preferences: preferences(blocked: blocked), roomSize: .pair, trios: trios, using: &random)
    }
}

/// Returns the preferences of people whose ids are 0…999.
func preferences(blocked: [(Int, Int)]) -> Preferences<Int> {
    let people = Array(0..<1_000)
    return Preferences(
        people,
        PreferenceGraph(
            people.map { _ in Person() },
            blocked.map { PreferenceEdge(Int32($0.0), Int32($0.1), isBlocked: true) }))
}
