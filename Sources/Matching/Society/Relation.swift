/// What two people know of each other, in four bytes.
struct Relation: Hashable, Sendable {
    private let bits: UInt32

    static let strangers = Relation(isBlocked: false, favourites: 0, meetings: 0)

    init(isBlocked: Bool, favourites: UInt8, meetings: Int32) {
        precondition(favourites <= 2 && meetings >= 0)
        let meetings = min(meetings, MatchWeights.meetingsAtMost)
        bits = (isBlocked ? 1 : 0) | UInt32(favourites) << 1 | UInt32(meetings) << 3
    }

    init(_ acquaintance: Acquaintance) {
        self.init(
            isBlocked: acquaintance.isBlocked, favourites: acquaintance.favourites,
            meetings: acquaintance.meetings)
    }

    var isBlocked: Bool { bits & 1 != 0 }
    var favourites: Int32 { Int32(bits >> 1 & 3) }
    /// What their meetings cost, which is nothing where they want to meet again.
    var meetings: Int32 { favourites == 2 ? 0 : Int32(bits >> 3) }

    /// The stronger of what two entries for the same people say.
    func merged(_ other: Relation) -> Relation {
        Relation(
            isBlocked: isBlocked || other.isBlocked, favourites: UInt8(max(favourites, other.favourites)),
            meetings: Int32(max(bits >> 3, other.bits >> 3)))
    }
}
