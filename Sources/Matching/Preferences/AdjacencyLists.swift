/// The edges of each person, one list after the other in a single array, each in the order of the people.
struct AdjacencyLists: Sendable {
    struct Entry: Sendable {
        let other: Int32
        let attributes: EdgeAttributes
    }

    private var starts: [Int32]
    private var entries: [Entry]

    init(people: Int, _ edges: [PreferenceEdge]) {
        let unordered = Self.listed(people, edges)
        // Each person in turn is entered in the lists of the others, which leaves each list in order.
        var next = Array(unordered.starts.dropLast())
        starts = unordered.starts
        entries = Array(
            repeating: Entry(other: -1, attributes: .strangers), count: unordered.entries.count)
        for person in 0..<people {
            for index in Int(starts[person])..<Int(starts[person + 1]) {
                let entry = unordered.entries[index]
                let other = Int(entry.other)
                entries[Int(next[other])] = Entry(other: Int32(person), attributes: entry.attributes)
                next[other] += 1
            }
        }
        mergeDoubles(people)
    }

    subscript(person: Int32) -> ArraySlice<Entry> {
        entries[Int(starts[Int(person)])..<Int(starts[Int(person) + 1])]
    }

    func count(of person: Int32) -> Int {
        Int(starts[Int(person) + 1] - starts[Int(person)])
    }

    func attributes(_ first: Int32, _ second: Int32) -> EdgeAttributes {
        if count(of: second) < count(of: first) { return find(first, of: second) }
        return find(second, of: first)
    }

    private func find(_ other: Int32, of person: Int32) -> EdgeAttributes {
        var low = Int(starts[Int(person)])
        var high = Int(starts[Int(person) + 1])
        while low < high {
            let middle = (low + high) / 2
            let entry = entries[middle]
            if entry.other == other { return entry.attributes }
            if entry.other < other { low = middle + 1 } else { high = middle }
        }
        return .strangers
    }

    private static func listed(
        _ people: Int, _ edges: [PreferenceEdge]
    ) -> (starts: [Int32], entries: [Entry]) {
        var starts = [Int32](repeating: 0, count: people + 1)
        for edge in edges {
            precondition(edge.first != edge.second, "an edge joins two people")
            starts[Int(edge.first) + 1] += 1
            starts[Int(edge.second) + 1] += 1
        }
        for person in 0..<people { starts[person + 1] += starts[person] }
        var next = starts
        var entries = [Entry](
            repeating: Entry(other: -1, attributes: .strangers), count: 2 * edges.count)
        for edge in edges {
            let attributes = EdgeAttributes(edge)
            for (person, other) in [
                (edge.first, edge.second), (edge.second, edge.first),
            ] {
                entries[Int(next[Int(person)])] = Entry(other: other, attributes: attributes)
                next[Int(person)] += 1
            }
        }
        return (starts, entries)
    }

    private mutating func mergeDoubles(_ people: Int) {
        var kept = 0
        var from = 0
        for person in 0..<people {
            let first = kept
            let end = Int(starts[person + 1])
            starts[person] = Int32(first)
            for index in from..<end {
                let entry = entries[index]
                if kept > first, entries[kept - 1].other == entry.other {
                    let both = entries[kept - 1].attributes.merged(entry.attributes)
                    entries[kept - 1] = Entry(other: entry.other, attributes: both)
                } else {
                    entries[kept] = entry
                    kept += 1
                }
            }
            from = end
        }
        starts[people] = Int32(kept)
        entries.removeLast(entries.count - kept)
    }
}
