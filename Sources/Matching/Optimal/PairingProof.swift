/// A proof that no perfect matching costs less, by the duality of linear programming (Edmonds, 1965).
///
/// The dual variables of any two vertices together exceed four times the cost of the pair by no more than the
/// dual variables of the blossoms that hold both. So a perfect matching costs, times four, no less than the
/// sum of the vertices' dual variables, less each blossom's times the number of pairs that it can hold; a
/// matching that costs just that is as cheap as can be.
struct PairingProof: Sendable {
    struct Blossom: Sendable {
        /// The vertices of the blossom: an odd number of them.
        let members: [Int32]
        /// The dual variable, which is not negative.
        let dual: Int64
    }

    let duals: [Int64]
    let blossoms: [Blossom]

    /// The least cost of a perfect matching, times four.
    var bound: Int64 {
        blossoms.reduce(duals.reduce(0, +)) { $0 - $1.dual * Int64($1.members.count / 2) }
    }
}
