import Codecs
import Testing

@testable import Matching

struct MatchPlannerPropertyTests {
    @Test("any plan is fair", arguments: (0..<40).map { _ in UInt64.random(in: .min ... .max) })
    func properties(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let size = Int.random(in: 2...6, using: &generator)
            let (rooms, arrivals) = situation(size: size, using: &generator)
            let planSeed = generator.next()
            let plan = place(arrivals: arrivals, in: rooms, size: size, seed: planSeed)
            let context: Comment = "seed \(seed): \(arrivals) to \(rooms), size \(size): \(plan)"

            #expect(plan == place(arrivals: arrivals, in: rooms, size: size, seed: planSeed), context)
            let placed = plan.flatMap(\.people)
            #expect(placed.count == Set(placed).count && Set(placed) == Set(arrivals), context)
            let named = plan.compactMap(\.joined)
            #expect(named.count == Set(named).count, context)
            checkMoves(plan, rooms, size, context)
            checkCompany(plan, rooms, arrivals, size, context)
        }
    }

    private func checkMoves(
        _ plan: [Placement<Int>], _ rooms: [OpenRoom<Int>], _ size: Int, _ context: Comment
    ) {
        for placement in plan {
            switch placement {
            case .join(let id, let people):
                let before = rooms.first { $0.id == id }?.members.count ?? 0
                let left = plan.count { $0.left == id }
                #expect(before > 0, context)
                #expect(before - left + people.count <= max(size + 1, before + 1), context)
            case .open(let people):
                #expect(people.count <= size + size / 2, context)
            case .split(let id, let leaving, let arrivals):
                let members = rooms.first { $0.id == id }?.members ?? []
                let joined = plan.first { $0.joined == id }?.people.count ?? 0
                #expect(members.count + joined > size && arrivals.count <= size, context)
                #expect(members.contains { $0.id == leaving && !$0.hasEntered }, context)
            }
        }
    }

    /// Checks that a person is alone afterwards only if every other room is too large and has entered, or no
    /// other person came.
    private func checkCompany(
        _ plan: [Placement<Int>], _ rooms: [OpenRoom<Int>], _ arrivals: [Int], _ size: Int, _ context: Comment
    ) {
        let joined = Set(plan.compactMap(\.joined))
        let stillAlone = rooms.filter { $0.members.count == 1 && !joined.contains($0.id) }
        let openedAlone = plan.contains { $0 == .open($0.people) && $0.people.count == 1 }
        if !stillAlone.isEmpty { #expect(plan.count <= rooms.count && !openedAlone, context) }
        if openedAlone {
            #expect(arrivals.count == 1, context)
            #expect(
                rooms.allSatisfy { room in
                    room.members.isEmpty || room.members.count > size && room.members.allSatisfy(\.hasEntered)
                }, context)
        }
    }

    private func situation(
        size: Int, using generator: inout SplitMix64
    ) -> (rooms: [OpenRoom<Int>], arrivals: [Int]) {
        var nextID = 0
        let rooms = (0..<Int.random(in: 0...5, using: &generator)).map { number in
            let members = (0..<Int.random(in: 0...size + 2, using: &generator)).map { _ in
                nextID += 1
                return OpenRoom<Int>.Member(id: nextID, hasEntered: Bool.random(using: &generator))
            }
            return OpenRoom(id: -1 - number, members: members)
        }
        let arrivals = (0..<Int.random(in: 0...7, using: &generator)).map { nextID + 1 + $0 }
        return (rooms, arrivals)
    }
}

extension Placement {
    fileprivate var people: [ID] {
        switch self {
        case .join(_, let people), .open(let people), .split(_, _, let people): people
        }
    }

    fileprivate var joined: ID? {
        guard case .join(let room, _) = self else { return nil }
        return room
    }

    fileprivate var left: ID? {
        guard case .split(let room, _, _) = self else { return nil }
        return room
    }
}
