import Codecs
import Testing

@testable import Matching

struct BlockedArrivalTests {
    @Test("a lone person is passed over if the arrival may not meet them, and the absent count too")
    func passedOver() {
        let rooms = [room(1, [11]), room(2, [21])]
        #expect(place([9], in: rooms, blocked: [(9, 11)]) == [.join(room: 2, [9])])
        let waiting = OpenRoom<Int>(
            id: 3,
            members: [.init(id: 31, hasEntered: true), .init(id: 32, hasEntered: false, isAbsent: true)])
        #expect(place([9], in: [waiting]) == [.join(room: 3, [9])])
        #expect(place([9], in: [waiting], blocked: [(32, 9)]) == [.open([9])])
    }

    @Test("two who may not meet open no room together")
    func apart() {
        #expect(Set(place([7, 8], in: [], blocked: [(7, 8)])) == [.open([7]), .open([8])])
    }

    @Test("without trios a pair stays a pair")
    func pairs() {
        #expect(place([9], in: [room(1, [11, 12])], trios: false) == [.open([9])])
    }

    @Test("a room gives up only members that the arrival may meet")
    func split() {
        let rooms = [room(1, [11, 12, 13])]
        #expect(
            place([9], in: rooms, blocked: [(9, 11), (9, 13)])
                == [.split(room: 1, leaving: 12, arrivals: [9])])
        #expect(place([9], in: rooms, blocked: [(9, 11), (9, 12), (9, 13)]) == [.open([9])])
    }

    @Test("each person has one place, with none that it may not meet, and not alone if there is company")
    func properties() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        for round in 0..<300 {
            var next = 100
            let rooms = (1...5).map { id in
                OpenRoom<Int>(
                    id: id,
                    members: (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        next += 1
                        let hasEntered = Bool.random(using: &random)
                        let isAbsent = !hasEntered && Bool.random(using: &random)
                        return .init(id: next, hasEntered: hasEntered, isAbsent: isAbsent)
                    })
            }
            let arrivals = (0..<Int.random(in: 0...8, using: &random)).map { next + 1 + $0 }
            let blocked = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ -> (Int, Int)? in
                let pair = (
                    Int.random(in: 100...next + 9, using: &random),
                    Int.random(in: 100...next + 9, using: &random)
                )
                return pair.0 == pair.1 ? nil : pair
            }
            let trios = Bool.random(using: &random)
            let plan = place(arrivals, in: rooms, blocked: blocked, trios: trios)
            let context: Comment =
                "seed \(seed), round \(round): \(arrivals) to \(rooms), \(blocked), \(trios): \(plan)"
            let result = Outcome(rooms, plan)
            for present in result.rooms {
                let meets = blocked.contains {
                    present.contains($0.0) && present.contains($0.1)
                        && (arrivals.contains($0.0) || arrivals.contains($0.1))
                }
                #expect(!meets, context)
            }
            #expect(result.placed.sorted() == arrivals, context)
            for alone in result.rooms where alone.count == 1 && arrivals.contains(alone[0]) {
                let hasCompany = result.rooms.contains { room in
                    room != alone
                        && mayHave(alone[0], room, rooms, arrivals, blocked, size: trios ? 2 : 1)
                }
                #expect(!hasCompany, context)
            }
        }
    }

    /// The final members of the rooms.
    private struct Outcome {
        var rooms: [[Int]] = []
        var placed: [Int] = []

        init(_ open: [OpenRoom<Int>], _ plan: [Placement<Int>]) {
            var members = Dictionary(uniqueKeysWithValues: open.map { ($0.id, $0.members.map(\.id)) })
            for placement in plan {
                switch placement {
                case .join(let room, let people):
                    placed += people
                    members[room]? += people
                case .open(let people):
                    placed += people
                    rooms.append(people)
                case .split(let room, let leaving, let people):
                    placed += people
                    members[room]?.removeAll { $0 == leaving }
                    rooms.append([leaving] + people)
                }
            }
            rooms += members.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Whether the person alone could join the room, or be joined by one of its members.
    private func mayHave(
        _ one: Int, _ room: [Int], _ open: [OpenRoom<Int>], _ arrivals: [Int], _ blocked: [(Int, Int)],
        size: Int
    ) -> Bool {
        let known = Dictionary(uniqueKeysWithValues: open.flatMap(\.members).map { ($0.id, $0) })
        let here = room.filter { !(known[$0]?.isAbsent ?? false) }
        func mayMeet(_ other: Int) -> Bool {
            !blocked.contains { $0 == (one, other) || $0 == (other, one) }
        }
        if (1...size).contains(here.count) && room.allSatisfy(mayMeet) { return true }
        return here.count > 2 && here.contains { mayMeet($0) && !(known[$0]?.hasEntered ?? false) }
    }

    private func place(
        _ arrivals: [Int], in rooms: [OpenRoom<Int>], blocked: [(Int, Int)] = [], trios: Bool = true
    ) -> [Placement<Int>] {
        var random = SplitMix64(seed: 1)
        return MatchPlanner.place(
            arrivals: arrivals, in: rooms, preferences: preferences(blocked: blocked), roomSize: .pair,
            trios: trios,
            using: &random)
    }
}
