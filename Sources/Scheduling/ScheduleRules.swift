package import Contract
package import Matching

/// The operator's settings that the scheduler needs: when slots open and end, and how many people meet.
package struct ScheduleRules: Sendable {
    /// The grid of the slots that are as long as `SLOT_SECONDS`.
    package var grid: SlotGrid
    /// The lengths that people may choose from; nil where every slot is as long as `SLOT_SECONDS`.
    package var lengths: SlotLengths?
    /// The time between the opening of the rooms and the start of the slot.
    package var lead: Duration
    package var roomSize: RoomSize
    /// Whether an odd member joins a pair; otherwise one is left alone.
    package var trios = true
    /// The time after the start of the slot from which a member who is alone is matched again; nil for never.
    package var noShow: Duration?
    /// The time before the opening at which the match is planned; zero to plan it only when it is made.
    var planAhead = Duration.seconds(20)
    /// Whether a planned match is written shortly before the opening, and committed at it.
    package var hasHeadStart = false
    /// The most rooms that are written in one transaction: as many as 10,000 people have.
    package var roomsAtOnce = 5_000
    /// The number of rooms in one part of a larger match: other writers of notifications wait for one part at
    /// most.
    package var roomsInPart = 1_250
    /// The duration of the lease of a match that takes several transactions; each of them renews it.
    var leaseTime = Duration.seconds(15)
    /// The time between the end of a slot and its closing in the database: entries and counts of other
    /// servers arrive.
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

    /// Returns the instant at which the rooms of the slot with that key open.
    package func opensAt(_ startsAt: Timestamp) -> Timestamp {
        SlotKey(startsAt).startsAt.adding(.zero - lead)
    }

    /// Returns the end of the slot with that key.
    package func endsAt(_ startsAt: Timestamp) -> Timestamp {
        SlotKey(startsAt).endsAt ?? Timestamp(seconds: grid.end(ofSlotAt: startsAt.seconds))
    }

    /// Returns the key of the slot of so many minutes; without `minutes`, of one as long as `SLOT_SECONDS`.
    package func key(startsAt: Timestamp, minutes: Int?) -> Timestamp {
        SlotKey(startsAt: startsAt, minutes: keyMinutes(minutes)).instant
    }

    /// Returns the length that a key has: none where it is that of `SLOT_SECONDS`.
    package func keyMinutes(_ minutes: Int?) -> Int? {
        minutes.flatMap { Int64($0) * 60 == grid.slotSeconds ? nil : $0 }
    }

    /// The grid on which the slots start that may be had now.
    package var startGrid: SlotGrid { lengths?.grid ?? grid }

    /// Returns the starts of the slots whose rooms are open.
    package func openSlots(at now: Timestamp) -> [Timestamp] {
        let current = Timestamp(seconds: grid.start(containing: now.seconds))
        let next = endsAt(current)
        return opensAt(next) <= now ? [current, next] : [current]
    }

    /// The longest head start: shorter than cancelling users wait for a connection, since requests that wait
    /// for the slot may hold all connections.
    static let longestHeadStart = Duration.seconds(2)

    /// Returns how long before the opening the writing of a match begins: longer than it takes. Users who
    /// cancel meanwhile wait.
    func headStart(of plan: SlotPlan?) -> Duration {
        guard hasHeadStart, let plan, plan.match.rooms.count <= roomsAtOnce else { return .zero }
        return min(Self.longestHeadStart, .milliseconds(250) + .microseconds(500) * plan.people.count)
    }

    /// Returns the instant at which an absent member will have been waited for long enough; nil if the member
    /// is present, or if rematching is off.
    func absentFrom(_ member: SlotMember, _ startsAt: Timestamp) -> Timestamp? {
        guard let noShow, !member.isPresent else { return nil }
        return max(startsAt, member.awaySince ?? startsAt).adding(noShow)
    }

    /// Returns the instant before which a member must have gone away to be absent now; nil if rematching is
    /// off.
    func waitsSince(_ now: Timestamp) -> Timestamp? { noShow.map { now.adding(.zero - $0) } }

    func isAbsent(_ member: SlotMember, _ startsAt: Timestamp, at now: Timestamp) -> Bool {
        absentFrom(member, startsAt).map { $0 <= now } ?? false
    }

    /// Returns the time to write the notifications of so many people, and a little more. All other writers of
    /// notifications wait for a match with a head start from that long before the opening.
    func tellingTime(of people: Int) -> Duration { .milliseconds(20) + .microseconds(60) * people }
}
