import Codecs

/// Matches all people of a slot at once.
package enum Matcher {
    /// The number of people up to which pairs are made as cheap as they can be, whatever the preferences.
    package static let optimalSize = 1_200

    /// The number of people up to which a match that is already awaited looks for the optimum.
    package static let optimalSizeInHaste = 200

    /// Puts each person into exactly one room, and never two people who may not meet. A person is alone only
    /// if no company is possible. With pairs, an odd person out is the one who was left alone least recently.
    ///
    /// The same people, edges and generator give the same answer, unless the search was stopped: `shouldStop`
    /// is called between the steps of the search for the optimum, and ends it with the match that chance and
    /// local search have found.
    /// - Parameters:
    ///   - trios: whether an odd person joins a pair. It matters for rooms of two only.
    /// - optimalSize: the most people with which the optimum is looked for.
    package static func match(
        _ graph: PreferenceGraph, roomSize: RoomSize, trios: Bool, optimalSize: Int = optimalSize,
        using generator: inout some RandomNumberGenerator, shouldStop: () -> Bool = { false }
    ) -> SlotMatch {
        let random = SplitMix64(seed: generator.next())
        if graph.hasCertain || graph.hasSelective {
            var intents = IntentMatcher(graph, roomSize: roomSize, trios: trios, using: random)
            return intents.match(optimalSize: optimalSize, shouldStop: shouldStop)
        }
        return match(
            graph, parties: [], roomSize, trios, optimalSize: optimalSize, using: random,
            shouldStop: shouldStop)
    }

    /// Matches people without favourites-only people among them. The parties stay together; there are none
    /// with pairs.
    static func match(
        _ graph: PreferenceGraph, parties: [[Int32]], _ roomSize: RoomSize, _ trios: Bool, optimalSize: Int,
        using random: SplitMix64, shouldStop: () -> Bool
    ) -> SlotMatch {
        if roomSize == .pair {
            var pairs = PairMatcher(graph, trios: trios, using: random)
            return pairs.match(optimalSize: optimalSize, shouldStop: shouldStop)
        }
        var groups = GroupMatcher(graph, parties: parties, roomSize: roomSize, using: random)
        return groups.match()
    }
}
