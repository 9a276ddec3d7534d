/// The placement and the rematching of people once rooms are open.
package enum MatchPlanner {
    /// Places each arrival exactly once, and never with a person it may not meet.
    ///
    /// Arrivals are shuffled first; then, in this order: those who are certain to meet a person join that
    /// person, who is taken out of a room that is too large if it has not entered yet; each joins a member
    /// who is alone, in the order of `rooms`; of the rest, two or more are matched among themselves; an
    /// arrival that is still single joins the smallest room below the size, else one of exactly the size
    /// (pairs: with `trios` only), else meets a member that the largest room gives up, one who has not
    /// entered yet and is not there with a person it is certain to meet, else joins a room whose members are
    /// all absent, else opens a room alone. Each step sees the rooms as changed by the steps before it, and
    /// an arrival without company is asked again after the others. Among equal choices the one that costs
    /// least is taken. Rooms without members are passed over. The same generator gives the same answer.
    package static func place<ID>(
        arrivals: [ID], in rooms: [OpenRoom<ID>], preferences: Preferences<ID> = .strangers,
        roomSize: RoomSize,
        trios: Bool = true, using generator: inout some RandomNumberGenerator
    ) -> [Placement<ID>] {
        var plan = ArrivalPlan(rooms: rooms, preferences: preferences, roomSize: roomSize, trios: trios)
        var rest = arrivals.shuffled(using: &generator)
        plan.uniteInvited(&rest)
        plan.keepCompany(&rest)
        if rest.count > 1 { plan.openRooms(&rest, using: &generator) }
        plan.placeSingles(rest, using: &generator)
        return plan.placements
    }
}
