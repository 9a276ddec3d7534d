/// The attributes of an edge between two people, in four bytes.
struct EdgeAttributes: Hashable, Sendable {
    private let bits: UInt32

    static let strangers = EdgeAttributes(isBlocked: false, favourites: 0, meetings: 0)

    init(
        isBlocked: Bool, favourites: UInt8, meetings: Int32, isCertain: Bool = false, isWelcome: Bool = false
    ) {
        precondition(favourites <= 2 && meetings >= 0)
        let meetings = min(meetings, MatchWeights.meetingsAtMost)
        bits =
            (isBlocked ? 1 : 0) | UInt32(favourites) << 1 | (isCertain ? 8 : 0) | (isWelcome ? 16 : 0)
            | UInt32(meetings) << 5
    }

    private init(bits: UInt32) { self.bits = bits }

    init(_ edge: PreferenceEdge) {
        self.init(
            isBlocked: edge.isBlocked, favourites: edge.favourites,
            meetings: edge.meetings, isCertain: edge.isCertain, isWelcome: edge.isWelcome)
    }

    var isBlocked: Bool { bits & 1 != 0 }
    var favourites: Int32 { Int32(bits >> 1 & 3) }
    /// Whether one has invited the other, and neither has blocked the other.
    var isCertain: Bool { bits & 9 == 8 }
    /// Whether each of the two who meets favourites only has marked the other.
    var isWelcome: Bool { bits & 16 != 0 }
    /// The cost of their meetings, which is zero if each marked the other: they want to meet again.
    var meetings: Int32 { favourites == 2 ? 0 : Int32(bits >> 5) }

    /// Returns the stronger attributes of two entries for the same people.
    func merged(_ other: EdgeAttributes) -> EdgeAttributes {
        let flags = (bits | other.bits) & 0b11001
        let favourites = UInt32(max(self.favourites, other.favourites))
        return EdgeAttributes(bits: flags | favourites << 1 | max(bits >> 5, other.bits >> 5) << 5)
    }
}
