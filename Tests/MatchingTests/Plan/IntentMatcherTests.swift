import Codecs
import Testing

@testable import Matching

@Suite("A match with invites and people who meet favourites only")
struct IntentMatcherTests {
    /// A random graph in which some meet favourites only, and disjoint pairs are certain to meet.
    struct Case {
        var graph: PreferenceGraph
        var edges: [PreferenceEdge] = []
        var pairs: [(Int32, Int32)] = []

        init(
            people: Int, blocked: Int, selective: Int, invited: Int, using random: inout SplitMix64
        ) {
            let plain = randomGraph(people: people, blocked: blocked, using: &random)
            let allPeople = plain.graph.people.map { person in
                Person(
                    tag: person.tag, aloneAt: person.aloneAt, wasAloneLast: person.wasAloneLast,
                    meetsFavouritesOnly: Int.random(in: 0..<100, using: &random) < selective)
            }
            edges = plain.edges.map { edge in
                let marker = Bool.random(using: &random) ? edge.first : edge.second
                let isWelcome = [edge.first, edge.second].allSatisfy { person in
                    !allPeople[Int(person)].meetsFavouritesOnly || edge.favourites == 2
                        || (edge.favourites == 1 && marker == person)
                }
                return PreferenceEdge(
                    edge.first, edge.second, isBlocked: edge.isBlocked, favourites: edge.favourites,
                    meetings: edge.meetings, isWelcome: isWelcome)
            }
            var line = (0..<Int32(people)).shuffled(using: &random)
            while line.count > 1, Int.random(in: 0..<100, using: &random) < invited {
                let (one, other) = (line.removeLast(), line.removeLast())
                edges.append(PreferenceEdge(one, other, isCertain: true))
                pairs.append((one, other))
            }
            graph = PreferenceGraph(allPeople, edges)
        }

        func mayMeet(_ one: Int32, _ other: Int32) -> Bool { graph.mayMeet(one, other) }

        /// The pairs in which neither has blocked the other.
        var certain: [(Int32, Int32)] { pairs.filter { mayMeet($0.0, $0.1) } }
    }

    @Test(
        "keeps pairs together, and people apart who may not meet", arguments: [2, 2, 3, 4, 7])
    func properties(size: Int) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let roomSize = try #require(RoomSize(size))
        for round in 0..<300 {
            let people = Int.random(in: 0...24, using: &random)
            let (selective, invited) = ([0, 20, 50][round % 3], [0, 40, 90][round / 3 % 3])
            let made = Case(
                people: people, blocked: [0, 0, 20][round % 3], selective: selective, invited: invited,
                using: &random)
            let trios = Bool.random(using: &random)
            let optimalSize = Bool.random(using: &random) ? 0 : Matcher.optimalSize
            var same = random
            let match = Matcher.match(
                made.graph, roomSize: roomSize, trios: trios, optimalSize: optimalSize, using: &random)
            let context: Comment =
                "seed \(seed), round \(round), \(made.graph.people) \(made.edges): \(match)"
            #expect(
                match
                    == Matcher.match(
                        made.graph, roomSize: roomSize, trios: trios, optimalSize: optimalSize,
                        using: &same), context)
            try check(match, made, size, trios, context)
        }
    }

    private func check(
        _ match: SlotMatch, _ made: Case, _ size: Int, _ trios: Bool, _ context: Comment
    ) throws {
        let placed = match.rooms.flatMap { $0 }
        #expect(placed.sorted() == Array(0..<Int32(made.graph.people.count)), context)
        #expect(match.bound <= match.cost, context)
        var roomOf: [Int32: Int] = [:]
        for (index, room) in match.rooms.enumerated() {
            for person in room { roomOf[person] = index }
            for one in room {
                for other in room where one < other { #expect(made.mayMeet(one, other), context) }
            }
        }
        for (one, other) in made.certain { #expect(roomOf[one] == roomOf[other], context) }
        let largest = size == 2 && !trios ? 1 : size
        for loner in match.alone {
            for room in match.rooms where !room.contains(loner) && room.count <= largest {
                #expect(!room.allSatisfy { made.mayMeet(loner, $0) }, context)
            }
        }
        let counts = match.rooms.map(\.count)
        #expect(counts == counts.sorted(by: >), context)
        let isOpenToAll =
            !made.edges.contains(where: \.isBlocked)
            && !made.graph.people.contains(where: \.meetsFavouritesOnly)
        if isOpenToAll && size == 2 && trios {
            #expect(
                counts == Partition.roomSizes(people: made.graph.people.count, roomSize: .pair), context)
        }
    }

    @Test("pairs two strangers by an invite, whatever else would cost less")
    func certainPair() {
        let people = (0..<4).map { Person(tag: $0 % 2 == 0 ? 0 : 1) }
        var random = SplitMix64(seed: 1)
        let graph = PreferenceGraph(
            people,
            [
                PreferenceEdge(0, 1, meetings: 8_000, isCertain: true), PreferenceEdge(0, 2, favourites: 2),
            ])
        let match = Matcher.match(graph, roomSize: .pair, trios: true, using: &random)
        #expect(Set(match.rooms.map { Set($0) }) == [[0, 1], [2, 3]])
    }

    @Test("parts a pair if one has blocked the other")
    func blockedPair() {
        var random = SplitMix64(seed: 1)
        let graph = PreferenceGraph(
            (0..<4).map { _ in Person() },
            [PreferenceEdge(0, 1, isCertain: true), PreferenceEdge(1, 0, isBlocked: true)])
        let match = Matcher.match(graph, roomSize: .pair, trios: true, using: &random)
        #expect(match.rooms.allSatisfy { $0.count == 2 && Set($0) != [0, 1] })
    }

    @Test("leaves a favourites-only person alone, rather than with a stranger")
    func nobodyToBeHad() {
        var random = SplitMix64(seed: 1)
        let people = [Person(meetsFavouritesOnly: true), Person(), Person(), Person()]
        // A mark of the other side alone does not count.
        let graph = PreferenceGraph(people, [PreferenceEdge(0, 1, favourites: 1)])
        let match = Matcher.match(graph, roomSize: .pair, trios: true, using: &random)
        #expect(match.alone == [0] && match.rooms.map(\.count) == [3, 1])
    }

    @Test("gives the favourite of two to the one who has no other")
    func exchange() {
        for seed in UInt64(0)..<50 {
            var random = SplitMix64(seed: seed)
            let people = [
                Person(meetsFavouritesOnly: true), Person(meetsFavouritesOnly: true), Person(), Person(),
            ]
            let graph = PreferenceGraph(
                people,
                [
                    PreferenceEdge(0, 2, favourites: 1, isWelcome: true),
                    PreferenceEdge(1, 2, favourites: 1, isWelcome: true),
                    PreferenceEdge(1, 3, favourites: 1, isWelcome: true),
                ])
            let match = Matcher.match(graph, roomSize: .pair, trios: false, using: &random)
            #expect(Set(match.rooms.map { Set($0) }) == [[0, 2], [1, 3]], "seed \(seed)")
        }
    }

    @Test("takes all people of a party if rooms are larger", arguments: [3, 4, 8])
    func party(size: Int) throws {
        let roomSize = try #require(RoomSize(size))
        for seed in UInt64(0)..<50 {
            var random = SplitMix64(seed: seed)
            let chain = (1..<Int32(size)).map { PreferenceEdge($0 - 1, $0, isCertain: true) }
            let graph = PreferenceGraph((0..<3 * size).map { _ in Person() }, chain)
            let match = Matcher.match(graph, roomSize: roomSize, trios: true, using: &random)
            #expect(match.rooms.contains { Set($0).isSuperset(of: 0..<Int32(size)) }, "seed \(seed)")
            #expect(match.rooms.map(\.count) == [size, size, size], "seed \(seed)")
        }
    }
}
