/// A perfect matching of least cost in a complete graph. It is found by growing alternating trees from all
/// free vertices, and shrinking odd cycles to blossoms (Edmonds, "Paths, Trees, and Flowers", 1965), in O(n³)
/// steps: for each blossom the edge of least slack to each vertex is kept (Gabow, 1974).
struct PerfectMatching: Sendable {
    let mates: [Int32]
    let proof: PairingProof

    /// Finds the matching; nil if the search was stopped.
    init?(_ costs: PairCosts, shouldStop: () -> Bool = { false }) {
        var forest = AlternatingForest(costs)
        forest.matchTightEdges()
        while forest.hasFree {
            guard forest.augment(shouldStop: shouldStop) else { return nil }
        }
        mates = forest.mates
        proof = forest.proof
    }
}
