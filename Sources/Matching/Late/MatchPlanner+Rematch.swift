extension MatchPlanner {
    /// Brings together members who are alone: the rooms with exactly one member who is not absent are matched
    /// with each other, and a member who is still alone joins the cheapest of the smallest other rooms that
    /// it may join.
    ///
    /// The room with the most absent members is kept where rooms meet, since they may still turn up; else the
    /// first in the order of `rooms`. No person comes into a room with a member, present or absent, that it
    /// may not meet. Members of other rooms are not moved. Each member moves once at most, and never into a
    /// room that its own members leave.
    package static func rematch<ID>(
        _ rooms: [OpenRoom<ID>], preferences: Preferences<ID> = .strangers, roomSize: RoomSize,
        trios: Bool = true,
        using generator: inout some RandomNumberGenerator
    ) -> [Move<ID>] {
        var plan = Rematch(rooms, preferences: preferences, roomSize: roomSize, trios: trios)
        plan.bringTogether(using: &generator)
        plan.joinOthers()
        return plan.moves
    }
}
