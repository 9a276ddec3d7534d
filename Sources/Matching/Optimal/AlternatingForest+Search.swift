extension AlternatingForest {
    /// Matches two more vertices. Returns false if it was stopped; then the state is of no use any more.
    mutating func augment(shouldStop: () -> Bool) -> Bool {
        plantTrees()
        while !shouldStop() {
            while let vertex = unscanned.popLast() { scan(vertex) }
            let step = nextStep()
            raise(by: step.delta)
            switch step.event {
            case .grow: growAll()
            case .join(let edge): if join(edge) { return true }
            case .expand(let blossom): expandInner(blossom)
            }
        }
        return false
    }

    enum Event {
        /// A vertex in no tree has a tight edge to an outer one.
        case grow
        /// There is a tight edge between two outer nodes.
        case join(Edge)
        /// The dual variable of an inner blossom has become zero.
        case expand(Int32)
    }

    private mutating func plantTrees() {
        for node in labels.indices {
            labels[node] = .none
            leastSlackEdges[node].slack = Self.unbounded
        }
        for vertex in 0..<count { reachSlack[vertex] = Self.unbounded }
        unscanned.removeAll(keepingCapacity: true)
        for vertex in 0..<count where mates[vertex] < 0 { makeOuter(outermost[vertex]) }
    }

    /// Returns how far the duals can change, and the event that follows.
    private func nextStep() -> (delta: Int64, event: Event) {
        var joining = (slack: Self.unbounded, edge: Edge(from: -1, to: -1))
        var expanding = (value: Self.unbounded, blossom: Int32(-1))
        for node in labels.indices {
            switch labels[node] {
            case .none: continue
            case .outer: if leastSlackEdges[node].slack < joining.slack { joining = leastSlackEdges[node] }
            case .inner:
                if node >= count, duals[node] < expanding.value { expanding = (duals[node], Int32(node)) }
            }
        }
        var growing = Self.unbounded
        for vertex in 0..<count where reachSlack[vertex] < growing {
            if labels[Int(outermost[vertex])] == .none { growing = reachSlack[vertex] }
        }
        let delta = min(joining.slack / 2, growing, expanding.value / 2)
        precondition(delta < Self.unbounded / 2, "a complete graph of even size has a perfect matching")
        if joining.slack / 2 == delta { return (delta, .join(joining.edge)) }
        return (delta, growing == delta ? .grow : .expand(expanding.blossom))
    }

    private mutating func raise(by delta: Int64) {
        if delta == 0 { return }
        for vertex in 0..<count {
            switch labels[Int(outermost[vertex])] {
            case .none: if reachSlack[vertex] < Self.unbounded { reachSlack[vertex] -= delta }
            case .outer: duals[vertex] += delta
            case .inner: duals[vertex] -= delta
            }
        }
        for node in labels.indices {
            switch labels[node] {
            case .none: continue
            case .outer:
                if node >= count { duals[node] += 2 * delta }
                if leastSlackEdges[node].slack < Self.unbounded { leastSlackEdges[node].slack -= 2 * delta }
            case .inner: if node >= count { duals[node] -= 2 * delta }
            }
        }
    }

    private mutating func growAll() {
        for vertex in 0..<count where reachSlack[vertex] == 0 {
            let node = outermost[vertex]
            if labels[Int(node)] != .none { continue }
            makeInner(node, by: Edge(from: reachedFrom[vertex], to: Int32(vertex)))
            makeOuter(outermost[Int(mates[Int(bases[Int(node)])])])
        }
    }

    mutating func makeInner(_ node: Int32, by entry: Edge) {
        labels[Int(node)] = .inner
        treeEdges[Int(node)] = entry
    }

    mutating func makeOuter(_ node: Int32) {
        labels[Int(node)] = .outer
        leastSlackEdges[Int(node)].slack = Self.unbounded
        if isBlossom(node) {
            let row = (Int(node) - count) * count
            for index in row..<row + count { nearest[index] = -1 }
        }
        unscanned += vertices(of: node)
    }

    /// Scans all edges of an outer vertex.
    private mutating func scan(_ vertex: Int32) {
        let node = outermost[Int(vertex)]
        let own = duals[Int(vertex)]
        let edges = Int(vertex) * count
        let row = isBlossom(node) ? (Int(node) - count) * count : nil
        for other in 0..<count {
            let otherNode = outermost[other]
            if otherNode == node { continue }
            let fromHere = costs[edges + other] - own
            let slack = fromHere - duals[other]
            if labels[Int(otherNode)] == .outer {
                if slack < leastSlackEdges[Int(node)].slack {
                    leastSlackEdges[Int(node)] = (slack, Edge(from: vertex, to: Int32(other)))
                }
                if slack < leastSlackEdges[Int(otherNode)].slack {
                    leastSlackEdges[Int(otherNode)] = (slack, Edge(from: Int32(other), to: vertex))
                }
            } else if slack < reachSlack[other] {
                reachSlack[other] = slack
                reachedFrom[other] = vertex
            }
            if let row {
                let known = Int(nearest[row + other])
                if known < 0 || fromHere < costs[known * count + other] - duals[known] {
                    nearest[row + other] = vertex
                }
            }
        }
    }
}
