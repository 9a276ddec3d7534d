import Contract
import Matching

/// When slots open and end, and how many people meet: what an operator sets, as the scheduler needs it.
struct ScheduleRules: Sendable {
    var grid: SlotGrid
    /// Between the opening of the rooms and the start of the slot.
    var lead: Duration
    var roomSize: RoomSize
    /// Whether the odd one joins a pair; else one is left alone.
    var trios = true
    /// From so long after the start of the slot somebody who is alone is matched again. Nil: never.
    var noShow: Duration?
    /// So long before the opening the match is planned. Zero: only when it is made.
    var planAhead = Duration.seconds(20)
    /// Whether a match that is planned is written shortly before the opening, and committed at it.
    var hasHeadStart = false
    /// Rooms that are written in one transaction: as many as 10,000 people have.
    var roomsAtOnce = 5_000
    /// Rooms of one part of a match that has more: others who write notifications wait for one part at most.
    var roomsInPart = 1_250
    /// Of a match that takes several transactions; each of them begins it anew.
    var leaseTime = Duration.seconds(15)
    /// Between the end of a slot and its closing in the database: entries and counts of other servers arrive.
    var grace = Duration.seconds(1)

    func opensAt(_ startsAt: Timestamp) -> Timestamp { startsAt.adding(.zero - lead) }

    /// Shorter than people who cancel wait for a connection, which others may hold who wait for the slot.
    static let longestHeadStart = Duration.seconds(2)

    /// How long before the opening the writing of a match begins: longer than it takes. Whoever cancels meanwhile waits.
    func headStart(of plan: SlotPlan?) -> Duration {
        guard hasHeadStart, let plan, plan.match.rooms.count <= roomsAtOnce else { return .zero }
        return min(Self.longestHeadStart, .milliseconds(250) + .microseconds(500) * plan.people.count)
    }

    /// When a member who is not there will have been waited for long enough. Nil for one who is there, and where
    /// nobody is matched again.
    func absentFrom(_ member: SlotMember, _ startsAt: Timestamp) -> Timestamp? {
        guard let noShow, !member.isPresent else { return nil }
        return max(startsAt, member.awaySince ?? startsAt).adding(noShow)
    }

    /// Who went away before that is absent now. Nil: nobody is.
    func waitsSince(_ now: Timestamp) -> Timestamp? { noShow.map { now.adding(.zero - $0) } }

    func isAbsent(_ member: SlotMember, _ startsAt: Timestamp, at now: Timestamp) -> Bool {
        absentFrom(member, startsAt).map { $0 <= now } ?? false
    }

    /// How long it takes to write the notifications of so many people, and a little more. So long before the opening all
    /// other writers of notifications begin to wait for a match with a head start.
    func tellingTime(of people: Int) -> Duration { .milliseconds(20) + .microseconds(60) * people }

    func endsAt(_ startsAt: Timestamp) -> Timestamp {
        Timestamp(seconds: grid.end(ofSlotAt: startsAt.seconds))
    }
}

extension ScheduleRules {
    /// Nil where a slot or a room cannot have these sizes.
    init?(_ configuration: ServerConfiguration) {
        guard let grid = SlotGrid(slotSeconds: Int64(configuration.slotSeconds)),
            let roomSize = RoomSize(configuration.roomSize)
        else { return nil }
        self.init(grid: grid, lead: .seconds(configuration.leadSeconds), roomSize: roomSize)
        trios = configuration.trios == .on
        hasHeadStart = true
        roomsAtOnce = 10_000 / roomSize.people
        roomsInPart = 2_500 / roomSize.people
        if configuration.noShowSeconds < configuration.slotSeconds {
            noShow = .seconds(configuration.noShowSeconds)
        }
    }
}
