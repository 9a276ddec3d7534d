/// The state of the search for a perfect matching of least cost.
///
/// Nodes are vertices, 0..<n, and blossoms, from n. A node that is in no blossom is outermost; only outermost
/// nodes are labelled. Costs are multiplied by four, so that all dual variables stay whole.
struct AlternatingForest {
    enum Label {
        /// The node is in no tree.
        case none
        /// The node is at an even distance from its tree's root, which is free. `scan` has seen its edges or
        /// will.
        case outer
        /// The node is at an odd distance from the root: entered by an edge from an outer node, left by its
        /// base's matched edge.
        case inner
    }

    struct Edge {
        var from: Int32
        var to: Int32
    }

    static let unbounded = Int64.max / 4

    let count: Int
    let costs: [Int64]
    var mates: [Int32]
    /// The dual variable of each vertex, and of each blossom, which is never negative.
    var duals: [Int64]
    /// The outermost node of a vertex.
    var outermost: [Int32]

    // The properties of nodes.
    var parents: [Int32]
    var bases: [Int32]
    var labels: [Label]
    /// The edge by which each inner node is entered: from a vertex of an outer node to a vertex of this one.
    var treeEdges: [Edge]
    /// The edge of least slack from each outer node to another outer node.
    var leastSlackEdges: [(slack: Int64, edge: Edge)]

    // The properties of blossoms, by their number less n.
    var cycles: [BlossomCycle?]
    var unusedBlossoms: [Int32]
    /// For each outermost outer blossom and each vertex outside of it, the blossom's vertex of least slack;
    /// else -1.
    var nearest: [Int32]

    // The outer vertex of least slack, for each vertex that is not outer.
    var reachedFrom: [Int32]
    var reachSlack: [Int64]

    /// The outer vertices whose edges are still to be scanned.
    var unscanned: [Int32] = []

    init(_ pairCosts: PairCosts) {
        let count = pairCosts.count
        let blossoms = count / 2
        self.count = count
        costs = pairCosts.values.map { $0 * 4 }
        mates = Array(repeating: -1, count: count)
        duals = Array(repeating: 0, count: count + blossoms)
        outermost = (0..<Int32(count)).map(\.self)
        parents = Array(repeating: -1, count: count + blossoms)
        bases = (0..<Int32(count + blossoms)).map(\.self)
        labels = Array(repeating: .none, count: count + blossoms)
        treeEdges = Array(repeating: Edge(from: -1, to: -1), count: count + blossoms)
        leastSlackEdges = Array(repeating: (Self.unbounded, Edge(from: -1, to: -1)), count: count + blossoms)
        cycles = Array(repeating: nil, count: blossoms)
        unusedBlossoms = (Int32(count)..<Int32(count + blossoms)).reversed()
        nearest = Array(repeating: -1, count: count * blossoms)
        reachedFrom = Array(repeating: -1, count: count)
        reachSlack = Array(repeating: Self.unbounded, count: count)
    }

    var hasFree: Bool { mates.contains(-1) }

    var proof: PairingProof {
        PairingProof(
            duals: Array(duals.prefix(count)),
            blossoms: cycles.indices.compactMap { index in
                cycles[index].map { PairingProof.Blossom(members: $0.vertices, dual: duals[count + index]) }
            })
    }

    func slack(_ first: Int32, _ second: Int32) -> Int64 {
        costs[Int(first) * count + Int(second)] - duals[Int(first)] - duals[Int(second)]
    }

    func isBlossom(_ node: Int32) -> Bool { Int(node) >= count }

    func vertices(of node: Int32) -> [Int32] {
        isBlossom(node) ? cycles[Int(node) - count]?.vertices ?? [] : [node]
    }
}
