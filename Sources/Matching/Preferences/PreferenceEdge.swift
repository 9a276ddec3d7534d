/// An edge between two people, by their index. Two people without an edge are strangers.
package struct PreferenceEdge: Hashable, Sendable {
    package let first: Int32
    package let second: Int32
    /// Whether either has blocked the other: then they never meet.
    package let isBlocked: Bool
    /// The number of the two who marked the other as a favourite, 0…2.
    package let favourites: UInt8
    /// The cost of their meetings, as in `MatchWeights.meetings`; never negative, and cut at its most.
    package let meetings: Int32
    /// Whether one has invited the other: then they share a room, unless either has blocked the other.
    package let isCertain: Bool
    /// Whether each of the two who meets favourites only has marked the other.
    package let isWelcome: Bool

    package init(
        _ first: Int32, _ second: Int32, isBlocked: Bool = false, favourites: UInt8 = 0, meetings: Int32 = 0,
        isCertain: Bool = false, isWelcome: Bool = false
    ) {
        self.first = first
        self.second = second
        self.isBlocked = isBlocked
        self.favourites = favourites
        self.meetings = meetings
        self.isCertain = isCertain
        self.isWelcome = isWelcome
    }

    init(_ first: Int32, _ second: Int32, _ attributes: EdgeAttributes) {
        self.init(
            first, second, isBlocked: attributes.isBlocked, favourites: UInt8(attributes.favourites),
            meetings: attributes.meetings, isCertain: attributes.isCertain, isWelcome: attributes.isWelcome)
    }
}
