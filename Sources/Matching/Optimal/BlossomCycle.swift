/// The nodes of a blossom: an odd number of them in a circle. The first node holds the base; of the others,
/// the second and third are matched, the fourth and fifth, and so on.
struct BlossomCycle {
    var nodes: [Int32]
    /// The edges from each node to the next one, the last to the first.
    var edges: [AlternatingForest.Edge]
    /// The vertices of all nodes.
    let vertices: [Int32]

    var count: Int { nodes.count }

    mutating func rotate(toStartAt index: Int) {
        nodes = Array(nodes[index...] + nodes[..<index])
        edges = Array(edges[index...] + edges[..<index])
    }
}
