/// The people with each tag, one list after the other in a single array.
struct TagLists: Sendable {
    private var starts: [Int32]
    private var members: [Int32]
    /// The people with no tag that anybody else has.
    let untagged: [Int32]

    /// Creates lists that keep the given order.
    init(_ order: [Int32], in graph: PreferenceGraph) {
        let tags = graph.tags
        starts = [Int32](repeating: 0, count: tags.count + 1)
        for person in order where tags[Int(person)] >= 0 { starts[Int(tags[Int(person)]) + 1] += 1 }
        for tag in tags.indices { starts[tag + 1] += starts[tag] }
        members = [Int32](repeating: -1, count: Int(starts[tags.count]))
        var next = starts
        for person in order where tags[Int(person)] >= 0 {
            let tag = Int(tags[Int(person)])
            members[Int(next[tag])] = person
            next[tag] += 1
        }
        untagged = order.filter { tags[Int($0)] < 0 }
    }

    var tags: Range<Int32> { 0..<Int32(starts.count - 1) }

    subscript(tag: Int32) -> ArraySlice<Int32> {
        members[Int(starts[Int(tag)])..<Int(starts[Int(tag) + 1])]
    }
}
