/// The costs of all pairs in a complete graph, in both directions.
struct PairCosts: Sendable {
    /// The number of vertices, which is even.
    let count: Int
    private(set) var values: [Int64]

    /// Creates the costs, each at most 2⁵⁸ in size.
    init(count: Int, _ cost: (Int, Int) -> Int64) {
        precondition(count.isMultiple(of: 2))
        self.count = count
        values = Array(repeating: 0, count: count * count)
        for first in 0..<count {
            for second in 0..<first {
                let value = cost(first, second)
                values[first * count + second] = value
                values[second * count + first] = value
            }
        }
    }

    subscript(first: Int, second: Int) -> Int64 { values[first * count + second] }
}
