extension AlternatingForest {
    /// Uses a tight edge between two outer nodes: within a tree it makes a blossom; between two trees it
    /// makes a path from root to root, along which the matching grows. Returns whether the matching has
    /// grown.
    mutating func join(_ edge: Edge) -> Bool {
        let left = pathToRoot(from: outermost[Int(edge.from)])
        let right = pathToRoot(from: outermost[Int(edge.to)])
        if left.last != right.last {
            match(edge.from, edge.to)
            match(edge.to, edge.from)
            expandEmptyOutermost()
            return true
        }
        var shared = 1
        while shared < min(left.count, right.count),
            left[left.count - 1 - shared] == right[right.count - 1 - shared]
        {
            shared += 1
        }
        shrink(edge, left.dropLast(shared - 1), right.dropLast(shared))
        return false
    }

    /// Returns the outer nodes on the path to the root, root last.
    private func pathToRoot(from node: Int32) -> [Int32] {
        var path = [node]
        var mate = mates[Int(bases[Int(node)])]
        while mate >= 0 {
            let outer = outermost[Int(treeEdges[Int(outermost[Int(mate)])].from)]
            path.append(outer)
            mate = mates[Int(bases[Int(outer)])]
        }
        return path
    }

    /// Matches an outer vertex with another one, and rematches the vertices on its path to the root.
    private mutating func match(_ vertex: Int32, _ other: Int32) {
        var (vertex, other) = (vertex, other)
        while true {
            let node = outermost[Int(vertex)]
            let former = mates[Int(bases[Int(node)])]
            rebase(node, to: vertex)
            mates[Int(vertex)] = other
            if former < 0 { return }
            let inner = outermost[Int(former)]
            let entry = treeEdges[Int(inner)]
            rebase(inner, to: entry.to)
            mates[Int(entry.to)] = entry.from
            (vertex, other) = (entry.from, entry.to)
        }
    }

    /// Matches the vertices within the node so that `vertex` is left for a match outside.
    private mutating func rebase(_ node: Int32, to vertex: Int32) {
        guard isBlossom(node), bases[Int(node)] != vertex else { return }
        guard var cycle = cycles[Int(node) - count] else { return }
        var child = vertex
        while parents[Int(child)] != node { child = parents[Int(child)] }
        rebase(child, to: vertex)
        cycle.rotate(toStartAt: cycle.nodes.firstIndex(of: child) ?? 0)
        for index in stride(from: 1, to: cycle.count, by: 2) {
            let edge = cycle.edges[index]
            if mates[Int(edge.from)] == edge.to { continue }
            rebase(cycle.nodes[index], to: edge.from)
            rebase(cycle.nodes[index + 1], to: edge.to)
            mates[Int(edge.from)] = edge.to
            mates[Int(edge.to)] = edge.from
        }
        cycles[Int(node) - count] = cycle
        bases[Int(node)] = vertex
    }

    /// Makes a blossom of two paths, the first of which ends with their common node.
    private mutating func shrink(_ edge: Edge, _ left: ArraySlice<Int32>, _ right: ArraySlice<Int32>) {
        var nodes: [Int32] = []
        var edges: [Edge] = []
        for outer in left.reversed() {
            if !nodes.isEmpty {
                let (matched, entry) = wayUp(from: outer)
                nodes.append(outermost[Int(matched.to)])
                edges += [entry, Edge(from: matched.to, to: matched.from)]
            }
            nodes.append(outer)
        }
        edges.append(edge)
        for outer in right {
            let (matched, entry) = wayUp(from: outer)
            nodes += [outer, outermost[Int(matched.to)]]
            edges += [matched, Edge(from: entry.to, to: entry.from)]
        }
        let cycle = BlossomCycle(nodes: nodes, edges: edges, vertices: nodes.flatMap { vertices(of: $0) })
        guard let blossom = unusedBlossoms.popLast() else {
            preconditionFailure("blossoms within each other are fewer than half of the vertices")
        }
        cycles[Int(blossom) - count] = cycle
        duals[Int(blossom)] = 0
        bases[Int(blossom)] = bases[Int(nodes[0])]
        becomeOuter(blossom, cycle)
    }

    /// Returns the edge from an outer node's base to its mate in an inner node, and the edge by which that
    /// inner node was entered.
    private func wayUp(from outer: Int32) -> (matched: Edge, entry: Edge) {
        let base = bases[Int(outer)]
        let mate = mates[Int(base)]
        return (Edge(from: base, to: mate), treeEdges[Int(outermost[Int(mate)])])
    }

    private mutating func becomeOuter(_ blossom: Int32, _ cycle: BlossomCycle) {
        let row = (Int(blossom) - count) * count
        for index in row..<row + count { nearest[index] = -1 }
        for vertex in cycle.vertices { outermost[Int(vertex)] = blossom }
        for node in cycle.nodes {
            switch labels[Int(node)] {
            case .outer: mergeNearest(of: node, into: blossom)
            case .inner, .none: unscanned += vertices(of: node)
            }
            labels[Int(node)] = .none
            parents[Int(node)] = blossom
        }
        labels[Int(blossom)] = .outer
        leastSlackEdges[Int(blossom)].slack = Self.unbounded
        for other in 0..<count where nearest[row + other] >= 0 && outermost[other] != blossom {
            if labels[Int(outermost[other])] != .outer { continue }
            let slack = slack(nearest[row + other], Int32(other))
            if slack < leastSlackEdges[Int(blossom)].slack {
                leastSlackEdges[Int(blossom)] = (slack, Edge(from: nearest[row + other], to: Int32(other)))
            }
        }
    }

    private mutating func mergeNearest(of node: Int32, into blossom: Int32) {
        let row = (Int(blossom) - count) * count
        let ownRow = isBlossom(node) ? (Int(node) - count) * count : nil
        for other in 0..<count where outermost[other] != blossom {
            let candidate = ownRow.map { nearest[$0 + other] } ?? node
            let known = nearest[row + other]
            if candidate < 0 { continue }
            if known < 0 || slack(candidate, Int32(other)) < slack(known, Int32(other)) {
                nearest[row + other] = candidate
            }
        }
    }

    /// Expands an inner blossom whose dual variable is zero. The nodes on the path through it stay in the
    /// tree.
    mutating func expandInner(_ blossom: Int32) {
        guard let cycle = cycles[Int(blossom) - count] else { return }
        var entry = treeEdges[Int(blossom)]
        dissolve(blossom, cycle)
        let start = outermost[Int(entry.to)]
        var index = cycle.nodes.firstIndex(of: start) ?? 0
        let step = index.isMultiple(of: 2) ? cycle.count - 1 : 1
        while true {
            makeInner(cycle.nodes[index], by: entry)
            if index == 0 { return }
            let outer = (index + step) % cycle.count
            index = (outer + step) % cycle.count
            makeOuter(cycle.nodes[outer])
            let onward = cycle.edges[step == 1 ? outer : index]
            entry = step == 1 ? onward : Edge(from: onward.to, to: onward.from)
        }
    }

    /// Expands the outermost blossoms whose dual variable is zero: they prove nothing, and are in the way.
    private mutating func expandEmptyOutermost() {
        for blossom in count..<parents.count where parents[blossom] < 0 && duals[blossom] == 0 {
            expandEmpty(Int32(blossom))
        }
    }

    private mutating func expandEmpty(_ blossom: Int32) {
        guard let cycle = cycles[Int(blossom) - count] else { return }
        dissolve(blossom, cycle)
        for node in cycle.nodes where isBlossom(node) && duals[Int(node)] == 0 { expandEmpty(node) }
    }

    private mutating func dissolve(_ blossom: Int32, _ cycle: BlossomCycle) {
        for node in cycle.nodes {
            parents[Int(node)] = -1
            labels[Int(node)] = .none
            for vertex in vertices(of: node) { outermost[Int(vertex)] = node }
        }
        cycles[Int(blossom) - count] = nil
        labels[Int(blossom)] = .none
        unusedBlossoms.append(blossom)
    }
}
