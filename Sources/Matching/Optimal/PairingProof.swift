/// Shows that no perfect matching costs less, by the duality of linear programming (Edmonds, 1965).
///
/// For any two, their dual variables together exceed four times their cost by no more than those of the
/// blossoms that hold both. A perfect matching then costs, four times, no less than the sum of the dual
/// variables, less each blossom's as often as it can hold a pair; and one that costs just that is as cheap as
/// can be.
struct PairingProof: Sendable {
    struct Blossom: Sendable {
        /// An odd number.
        let members: [Int32]
        /// Not negative.
        let dual: Int64
    }

    let duals: [Int64]
    let blossoms: [Blossom]

    /// The least cost, times four.
    var bound: Int64 {
        blossoms.reduce(duals.reduce(0, +)) { $0 - $1.dual * Int64($1.members.count / 2) }
    }
}
