/// A lower bound for the cost of pairs.
///
/// Each person has a part in the cost of a pair: its own wishes that are missed, and half of the meetings. So
/// no pairing costs less than the sum of the `least` parts of all people. If an odd number of people has a
/// tag, at least one of them is with a person without it, at the cost of the cheapest `detour`.
struct PairBound: Sendable {
    /// Each person's part in the cheapest pair that it may be in.
    let least: [Int32]
    /// The least that is added, for each tag, to the part of one of its people by a partner without the tag.
    private let detours: [Int32]

    init(_ graph: PreferenceGraph) {
        let people = graph.people.count
        var counts = [Int](repeating: 0, count: people)
        for tag in graph.tags where tag >= 0 { counts[Int(tag)] += 1 }
        var least = [Int32](repeating: 0, count: people)
        var detours = [Int32](repeating: MatchWeights.tagApart, count: people)
        for person in 0..<people {
            let tag = graph.tags[person]
            let parts = Parts(of: Int32(person), sharingTag: tag < 0 ? 0 : counts[Int(tag)], in: graph)
            least[person] = parts.least
            if tag >= 0 { detours[Int(tag)] = min(detours[Int(tag)], parts.detour) }
        }
        self.least = least
        self.detours = detours
    }

    /// Returns a lower bound for pairings in which `exceptions` people are in no pair: alone, or the third in
    /// a room. `loner` is a person among them who is known to be left alone, and is not counted.
    func bound(_ graph: PreferenceGraph, exceptions: Int, without loner: Int32? = nil, areThirds: Bool)
        -> Int64
    {
        var least = least
        var isOdd = [Bool](repeating: false, count: detours.count)
        for tag in graph.tags where tag >= 0 { isOdd[Int(tag)].toggle() }
        var exceptions = exceptions
        if let loner {
            least[Int(loner)] = 0
            let tag = graph.tags[Int(loner)]
            if tag >= 0 { isOdd[Int(tag)].toggle() }
            exceptions -= 1
        }
        let odd = detours.indices.filter { isOdd[$0] }.map { detours[$0] }
        let sum = least.sum + odd.sum
        if exceptions <= 0 { return sum }
        // Each of three people may have its wishes from either of the others, and one tag may have an even
        // number without the exception.
        return sum - least.sum(ofLargest: areThirds ? 3 * exceptions : exceptions)
            - odd.sum(ofLargest: exceptions)
    }

    private struct Parts {
        var least = Int32.max
        var detour = MatchWeights.tagApart

        init(of person: Int32, sharingTag: Int, in graph: PreferenceGraph) {
            let tag = graph.tags[Int(person)]
            let list = graph.edges[person]
            var outside = Int32.max
            var inside = 0
            for entry in list {
                let sharesTag = tag >= 0 && graph.tags[Int(entry.other)] == tag
                if sharesTag { inside += 1 }
                if entry.attributes.isBlocked { continue }
                let part = graph.apart(person, entry.other, entry.attributes) + entry.attributes.meetings / 2
                least = min(least, part)
                if !sharesTag { outside = min(outside, part) }
            }
            let missing = Int32(graph.bestFavourites[Int(person)]) * MatchWeights.favouriteApart
            let strangersInside = tag < 0 ? 0 : sharingTag - 1 - inside
            if strangersInside > 0 { least = min(least, missing) }
            if graph.people.count - 1 - list.count - strangersInside > 0 {
                outside = min(outside, missing + (tag < 0 ? 0 : MatchWeights.tagApart))
            }
            least = min(least, outside)
            if least == .max { least = 0 }
            if outside != .max { detour = min(detour, outside - least) }
        }
    }
}

extension [Int32] {
    fileprivate var sum: Int64 { reduce(0) { $0 + Int64($1) } }

    fileprivate func sum(ofLargest count: Int) -> Int64 {
        sorted(by: >).prefix(count).reduce(0) { $0 + Int64($1) }
    }
}
