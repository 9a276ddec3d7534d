import Codecs

/// Matches everybody of a slot at once.
package enum Matcher {
    /// Up to this many people the pairs are made as cheap as they can be, whatever they know of each other.
    package static let optimalSize = 1_200

    /// With more people than that, a match for which everybody waits already does without the optimum.
    package static let optimalSizeInHaste = 200

    /// Puts everybody into exactly one room, and never two who may not meet. Nobody is alone who could have
    /// company; where somebody is, it is, of pairs, the one who was left alone least recently.
    ///
    /// The same people, edges and generator give the same answer, unless it was stopped: `shouldStop`
    /// is asked between the steps of the search for the optimum, and ends it with what chance and repair have
    /// found.
    /// - Parameters:
    ///   - trios: whether the odd one joins a pair. It matters for rooms of two only.
    ///   - optimalSize: how many people are too many for the optimum.
    package static func match(
        _ graph: PreferenceGraph, roomSize: RoomSize, trios: Bool, optimalSize: Int = optimalSize,
        using generator: inout some RandomNumberGenerator, shouldStop: () -> Bool = { false }
    ) -> SlotMatch {
        let random = SplitMix64(seed: generator.next())
        if roomSize == .pair {
            var pairs = PairMatcher(graph, trios: trios, using: random)
            return pairs.match(optimalSize: optimalSize, shouldStop: shouldStop)
        }
        var groups = GroupMatcher(graph, roomSize: roomSize, using: random)
        return groups.match()
    }
}
