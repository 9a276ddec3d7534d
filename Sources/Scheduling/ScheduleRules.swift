package import Contract
package import Matching

/// When slots open and end, and how many people meet: what an operator sets, as the scheduler needs it.
package struct ScheduleRules: Sendable {
    package var grid: SlotGrid
    /// Between the opening of the rooms and the start of the slot.
    package var lead: Duration
    package var roomSize: RoomSize
    /// Whether the odd one joins a pair; else one is left alone.
    package var trios = true
    /// From so long after the start of the slot somebody who is alone is matched again. Nil: never.
    package var noShow: Duration?
    /// So long before the opening the match is planned. Zero: only when it is made.
    var planAhead = Duration.seconds(20)
    /// Whether a match that is planned is written shortly before the opening, and committed at it.
    package var hasHeadStart = false
    /// Rooms that are written in one transaction: as many as 10,000 people have.
    package var roomsAtOnce = 5_000
    /// Rooms of one part of a match that has more: others who write notifications wait for one part at most.
    package var roomsInPart = 1_250
    /// How long the lease of a match lasts that takes several transactions; each of them begins it anew.
    var leaseTime = Duration.seconds(15)
    /// Between the end of a slot and its closing in the database: entries and counts of other servers arrive.
    package var grace = Duration.seconds(1)

    package init(
        grid: SlotGrid, lead: Duration, roomSize: RoomSize, trios: Bool = true, noShow: Duration? = nil,
        planAhead: Duration = Duration.seconds(20), hasHeadStart: Bool = false, roomsAtOnce: Int = 5_000,
        roomsInPart: Int = 1_250, leaseTime: Duration = Duration.seconds(15),
        grace: Duration = Duration.seconds(1)
    ) {
        self.grid = grid
        self.lead = lead
        self.roomSize = roomSize
        self.trios = trios
        self.noShow = noShow
        self.planAhead = planAhead
        self.hasHeadStart = hasHeadStart
        self.roomsAtOnce = roomsAtOnce
        self.roomsInPart = roomsInPart
        self.leaseTime = leaseTime
        self.grace = grace
    }

    package func opensAt(_ startsAt: Timestamp) -> Timestamp { startsAt.adding(.zero - lead) }

    /// Shorter than people who cancel wait for a connection, which others may hold who wait for the slot.
    static let longestHeadStart = Duration.seconds(2)

    /// How long before the opening the writing of a match begins: longer than it takes. Whoever cancels
    /// meanwhile waits.
    func headStart(of plan: SlotPlan?) -> Duration {
        guard hasHeadStart, let plan, plan.match.rooms.count <= roomsAtOnce else { return .zero }
        return min(Self.longestHeadStart, .milliseconds(250) + .microseconds(500) * plan.people.count)
    }

    /// When a member who is not there will have been waited for long enough. Nil for one who is there, and
    /// where nobody is matched again.
    func absentFrom(_ member: SlotMember, _ startsAt: Timestamp) -> Timestamp? {
        guard let noShow, !member.isPresent else { return nil }
        return max(startsAt, member.awaySince ?? startsAt).adding(noShow)
    }

    /// Who went away before that is absent now. Nil: nobody is.
    func waitsSince(_ now: Timestamp) -> Timestamp? { noShow.map { now.adding(.zero - $0) } }

    func isAbsent(_ member: SlotMember, _ startsAt: Timestamp, at now: Timestamp) -> Bool {
        absentFrom(member, startsAt).map { $0 <= now } ?? false
    }

    /// How long it takes to write the notifications of so many people, and a little more. So long before the
    /// opening all other writers of notifications begin to wait for a match with a head start.
    func tellingTime(of people: Int) -> Duration { .milliseconds(20) + .microseconds(60) * people }

    package func endsAt(_ startsAt: Timestamp) -> Timestamp {
        Timestamp(seconds: grid.end(ofSlotAt: startsAt.seconds))
    }
}
