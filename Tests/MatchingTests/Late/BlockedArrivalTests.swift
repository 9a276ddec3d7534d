import Testing

@testable import Matching

struct BlockedArrivalTests {
    @Test("somebody alone is passed over whom the arrival may not meet, and the absent count too")
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

    @Test("whoever a room gives up is somebody whom the arrival may meet")
    func split() {
        let rooms = [room(1, [11, 12, 13])]
        #expect(
            place([9], in: rooms, blocked: [(9, 11), (9, 13)]) == [.split(room: 1, leaving: 12, arrival: 9)])
        #expect(place([9], in: rooms, blocked: [(9, 11), (9, 12), (9, 13)]) == [.open([9])])
    }

    @Test("everybody has one place, with nobody whom it may not meet")
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
            let plan = place(arrivals, in: rooms, blocked: blocked, trios: Bool.random(using: &random))
            let context: Comment =
                "seed \(seed), round \(round): \(arrivals) to \(rooms), \(blocked): \(plan)"
            var placed: [Int] = []
            for placement in plan {
                var present: [Int] = []
                switch placement {
                case .join(let room, let people):
                    placed += people
                    present = people + (rooms.first { $0.id == room }?.members.map(\.id) ?? [])
                case .open(let people):
                    placed += people
                    present = people
                case .split(_, let leaving, let arrival):
                    placed.append(arrival)
                    present = [leaving, arrival]
                }
                let meets = blocked.contains {
                    present.contains($0.0) && present.contains($0.1)
                        && (arrivals.contains($0.0) || arrivals.contains($0.1))
                }
                #expect(!meets, context)
            }
            #expect(placed.sorted() == arrivals, context)
        }
    }

    private func place(
        _ arrivals: [Int], in rooms: [OpenRoom<Int>], blocked: [(Int, Int)] = [], trios: Bool = true
    ) -> [Placement<Int>] {
        var random = SplitMix64(seed: 1)
        return MatchPlanner.place(
            arrivals: arrivals, in: rooms, relations: relations(blocked: blocked), roomSize: .pair,
            trios: trios,
            using: &random)
    }
}
