/// What a blossom is made of: an odd number of nodes in a circle. The first holds the base; of the others,
/// the second and third are matched, the fourth and fifth, and so on.
struct BlossomCycle {
    var nodes: [Int32]
    /// From each node to the next one, the last to the first.
    var edges: [AlternatingForest.Edge]
    /// All of the nodes' vertices.
    let vertices: [Int32]

    var count: Int { nodes.count }

    mutating func rotate(toStartAt index: Int) {
        nodes = Array(nodes[index...] + nodes[..<index])
        edges = Array(edges[index...] + edges[..<index])
    }
}
