import Codecs
import Contract
import TestKit
import Testing

@testable import Scheduling

@Suite("Who is alone in a slot, and is told of it")
struct PartnerStateTests {
    private typealias Sight = PartnerState.Sight
    private typealias Changes = PartnerState.Changes

    private static func ids(_ numbers: Int...) -> Set<Identifier> {
        Set(numbers.map { Identifier(value: UInt128($0)) })
    }

    @Test("a person who was alone is told that another one came, and a person who is left that they went")
    func there() {
        var state = PartnerState()
        #expect(state.isEmpty)
        // A person who has just registered is told nothing, alone or not.
        #expect(state.update(.few(Self.ids(1), partnered: [])) == Changes())
        #expect(state.update(.few(Self.ids(1), partnered: [])) == Changes())
        let both = Sight.few(Self.ids(1, 2), partnered: Self.ids(1, 2))
        #expect(state.update(both) == Changes(partnered: Self.ids(1)))
        #expect(state.update(both) == Changes())
        #expect(
            state.update(.few(Self.ids(1, 2, 3), partnered: Self.ids(1, 2, 3))) == Changes())
        #expect(state.update(both) == Changes())
        #expect(state.update(.few(Self.ids(2), partnered: [])) == Changes(alone: Self.ids(2)))
        #expect(state.update(.few(Self.ids(2), partnered: [])) == Changes())
        #expect(state.update(.few([], partnered: [])) == Changes())
        #expect(state == PartnerState())
    }

    @Test("one who took another's place was not there before, and is told nothing")
    func replaced() {
        var state = PartnerState(known: Self.ids(1), alone: Self.ids(1))
        #expect(state.update(.few(Self.ids(2), partnered: [])) == Changes())
        var pair = PartnerState(known: Self.ids(1, 2))
        #expect(pair.update(.few(Self.ids(3), partnered: [])) == Changes())
        #expect(pair.update(.few(Self.ids(3, 4), partnered: Self.ids(3, 4))).partnered == Self.ids(3))
    }

    @Test("two who may not meet are alone together, until a third comes")
    func apart() {
        var state = PartnerState(known: Self.ids(1), alone: Self.ids(1))
        #expect(state.update(.few(Self.ids(1, 2), partnered: [])) == Changes())
        #expect(state.alone == Self.ids(1, 2))
        let three = Sight.few(Self.ids(1, 2, 3), partnered: Self.ids(1, 2, 3))
        #expect(state.update(three) == Changes(partnered: Self.ids(1, 2)))
    }

    @Test(
        "in a crowd all count as partnered but favourites-only people, who stay as they were")
    func crowd() {
        var state = PartnerState(known: Self.ids(1, 2, 3), alone: Self.ids(1, 2, 3))
        // The third has cancelled.
        let many = Sight.many(remaining: Self.ids(1, 2), selective: Self.ids(2))
        #expect(state.update(many) == Changes(partnered: Self.ids(1)))
        #expect(state.known == nil && state.alone == Self.ids(2) && !state.isEmpty)
        #expect(state.update(many) == Changes())
        // All people in a crowd count as partnered, so 7 is told. 2 meets favourites only, and was alone.
        let few = Sight.few(Self.ids(2, 7), partnered: [])
        #expect(state.update(few) == Changes(alone: Self.ids(7)))
        var again = PartnerState(known: nil, alone: Self.ids(2))
        #expect(again.update(.many(remaining: [], selective: Self.ids(2))) == Changes())
        #expect(again.alone.isEmpty)
    }

    @Test("no person is told the same twice in a row, nor anything untrue", arguments: 0..<20)
    func property(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var state = PartnerState()
        var last: [Identifier: Bool] = [:]
        for _ in 0..<500 {
            let people = Set(
                (1...5).filter { _ in Bool.random(using: &random) }.map {
                    Identifier(value: UInt128($0))
                })
            let partnered: Set<Identifier> =
                people.count < 2 ? [] : people.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
            let before = last
            let changes = state.update(.few(people, partnered: partnered))
            last = [:]
            for person in people { last[person] = partnered.contains(person) }
            for person in people {
                let isNews = before[person].map { $0 != last[person] } ?? false
                #expect(changes.partnered.contains(person) == (isNews && last[person] == true), "\(seed)")
                #expect(changes.alone.contains(person) == (isNews && last[person] == false), "\(seed)")
            }
            #expect(changes.partnered.union(changes.alone).isSubset(of: people), "\(seed)")
        }
    }
}
