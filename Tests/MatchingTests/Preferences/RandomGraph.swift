import Codecs

@testable import Matching

/// Returns a random graph. `blocked` is the percentage of its edges that are blocks.
func randomGraph(
    people: Int, blocked: Int, using random: inout SplitMix64
) -> (graph: PreferenceGraph, edges: [PreferenceEdge]) {
    let acquainted = Int.random(in: 0...100, using: &random)
    var edges: [PreferenceEdge] = []
    for first in 0..<Int32(people) {
        for second in 0..<first where Int.random(in: 0..<100, using: &random) < acquainted {
            edges.append(
                PreferenceEdge(
                    first, second, isBlocked: Int.random(in: 0..<100, using: &random) < blocked,
                    favourites: UInt8([0, 0, 0, 1, 2].randomElement(using: &random) ?? 0),
                    meetings: Bool.random(using: &random) ? 0 : Int32.random(in: 0...1_000, using: &random)))
        }
    }
    let tags = Int32.random(in: 1...Int32(max(1, people)), using: &random)
    let allPeople = (0..<people).map { _ in
        Person(
            tag: Int.random(in: 0..<4, using: &random) == 0
                ? nil : Int32.random(in: 0..<tags, using: &random),
            aloneAt: Bool.random(using: &random) ? nil : Int64.random(in: 0...3, using: &random),
            wasAloneLast: Int.random(in: 0..<5, using: &random) == 0)
    }
    return (PreferenceGraph(allPeople, edges), edges)
}
