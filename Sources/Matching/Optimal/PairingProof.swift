/// Shows that no perfect matching costs less, by the duality of linear programming (Edmonds, 1965).
///
/// For any two, their values together exceed four times their cost by no more than the values of the blossoms
/// that hold both. A perfect matching then costs, four times, no less than the sum of the values, less each
/// blossom's as often as it can hold a pair; and one that costs just that is as cheap as can be.
struct PairingProof: Sendable {
    struct Blossom: Sendable {
        /// An odd number.
        let members: [Int32]
        /// Not negative.
        let value: Int64
    }

    let values: [Int64]
    let blossoms: [Blossom]

    /// The least cost, times four.
    var bound: Int64 {
        blossoms.reduce(values.reduce(0, +)) { $0 - $1.value * Int64($1.members.count / 2) }
    }
}
