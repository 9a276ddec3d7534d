import Codecs
import Contract
import Matching
import Testing

@testable import Scheduling

@Suite("The plan of a slot")
struct SlotPlanTests {
    private static func people(_ count: Int) -> [SlotPerson] {
        (0..<count).map { number in
            SlotPerson(
                registration: Identifier(value: UInt128(1_000 + number)),
                user: Identifier(value: UInt128(9_000 + number)),
                tag: ["code", "write", nil][number % 3])
        }
    }

    private static func edges(_ people: [SlotPerson], using random: inout SplitMix64) -> [SlotEdge] {
        (0..<people.count * 5).compactMap { _ in
            let one = people[Int.random(in: people.indices, using: &random)].registration
            let other = people[Int.random(in: people.indices, using: &random)].registration
            let kinds: [SlotEdge.Kind] = [
                .block, .favourite, .favourite, .meetings(Int32.random(in: 1...1_000, using: &random)),
            ]
            guard one != other, let kind = kinds.randomElement(using: &random) else { return nil }
            return SlotEdge(first: one, second: other, kind: kind)
        }
    }

    @Test(
        "follows from people, ties, rules and seed, in whatever order the ties are read", arguments: [2, 4])
    func order(roomSize: Int) async throws {
        let rules = ScheduleRules(
            grid: try #require(SlotGrid(slotSeconds: 1800)), lead: .seconds(60),
            roomSize: try #require(RoomSize(roomSize)))
        var random = SplitMix64(seed: 5)
        let people = Self.people(61)
        var edges = Self.edges(people, using: &random)
        let asOf = Timestamp(seconds: 0)
        let first = await SlotPlan.make(people, edges, rules, seed: 7, asOf: asOf).match
        for _ in 0..<10 {
            edges.shuffle(using: &random)
            #expect(await SlotPlan.make(people, edges, rules, seed: 7, asOf: asOf).match == first)
        }
        // Each process has another seed for its dictionaries, and this checksum.
        var sum: UInt64 = 0
        for room in first.rooms { for member in room { sum = sum &* 31 &+ UInt64(member) } }
        #expect(sum == (roomSize == 2 ? 6_682_751_806_996_361_056 : 15_796_712_251_771_713_542))
    }
}
