/// The attributes of an edge between two people, in four bytes.
struct EdgeAttributes: Hashable, Sendable {
    private let bits: UInt32

    static let strangers = EdgeAttributes(isBlocked: false, favourites: 0, meetings: 0)

    init(isBlocked: Bool, favourites: UInt8, meetings: Int32) {
        precondition(favourites <= 2 && meetings >= 0)
        let meetings = min(meetings, MatchWeights.meetingsAtMost)
        bits = (isBlocked ? 1 : 0) | UInt32(favourites) << 1 | UInt32(meetings) << 3
    }

    init(_ edge: PreferenceEdge) {
        self.init(
            isBlocked: edge.isBlocked, favourites: edge.favourites,
            meetings: edge.meetings)
    }

    var isBlocked: Bool { bits & 1 != 0 }
    var favourites: Int32 { Int32(bits >> 1 & 3) }
    /// The cost of their meetings, which is zero if each marked the other: they want to meet again.
    var meetings: Int32 { favourites == 2 ? 0 : Int32(bits >> 3) }

    /// Returns the stronger attributes of two entries for the same people.
    func merged(_ other: EdgeAttributes) -> EdgeAttributes {
        EdgeAttributes(
            isBlocked: isBlocked || other.isBlocked, favourites: UInt8(max(favourites, other.favourites)),
            meetings: Int32(max(bits >> 3, other.bits >> 3)))
    }
}
