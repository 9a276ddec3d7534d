extension AlternatingForest {
    /// Gives the vertices duals that no edge contradicts, and matches tight edges as far as that takes no
    /// search.
    mutating func matchTightEdges() {
        for vertex in 0..<count {
            var least = Self.unbounded
            for other in 0..<count where other != vertex { least = min(least, costs[vertex * count + other]) }
            // A multiple of four: outer vertices must agree on whether their duals are even.
            duals[vertex] = least / 2
        }
        for vertex in 0..<Int32(count) where mates[Int(vertex)] < 0 {
            var least = (slack: Self.unbounded, other: Int32(-1))
            for other in 0..<Int32(count) where other != vertex {
                let slack = slack(vertex, other)
                if slack < least.slack || slack == least.slack && mates[Int(other)] < 0 {
                    least = (slack, other)
                }
            }
            duals[Int(vertex)] += least.slack
            if mates[Int(least.other)] < 0 {
                mates[Int(vertex)] = least.other
                mates[Int(least.other)] = vertex
            }
        }
    }
}
