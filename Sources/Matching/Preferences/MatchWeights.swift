/// The weights in the cost of a room. A cost has no unit; a room that is as wished costs nothing.
///
/// - Two people who met lately: `meeting(daysAgo:)` for each meeting. If both marked the other as a favourite
///   their meetings cost nothing: they want to meet again.
/// - A person whose tag another one of the slot has, but no other member of the room: `tagApart`.
/// - A person who has marked another one of the slot as a favourite, or was marked, and is not with that one:
///   `favouriteApart` for each of the two marks.
package enum MatchWeights {
    package static let tagApart: Int32 = 150
    package static let favouriteApart: Int32 = 200
    /// The number of days after which meetings are forgotten.
    package static let rememberedDays = 30
    /// The most that the meetings of two people cost.
    package static let meetingsAtMost: Int32 = 8_000

    /// Returns the cost of a meeting: from 1,000 within the last day, thirteen sixteenths of it for each day
    /// that has passed, to 2 after thirty days; always even.
    package static func meeting(daysAgo: Int) -> Int32 {
        guard daysAgo <= rememberedDays else { return 0 }
        return costByDay[max(0, daysAgo)]
    }

    package static func meetings(daysAgo: some Sequence<Int>) -> Int32 {
        daysAgo.reduce(0) { min(meetingsAtMost, $0 + meeting(daysAgo: $1)) }
    }

    private static let costByDay: [Int32] = {
        var scaled: Int64 = 500 << 24
        return (0...rememberedDays).map { _ in
            defer { scaled = scaled * 13 / 16 }
            return 2 * Int32((scaled + 1 << 23) >> 24)
        }
    }()
}
