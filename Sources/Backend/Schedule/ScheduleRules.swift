import Contract
import Matching

/// When slots open and end, and how many people meet: what an operator sets, as the scheduler needs it.
struct ScheduleRules: Sendable {
    var grid: SlotGrid
    /// Between the opening of the rooms and the start of the slot.
    var lead: Duration
    var roomSize: RoomSize
    /// Between the end of a slot and its closing in the database: entries and counts of other servers arrive.
    var grace = Duration.milliseconds(500)

    func opensAt(_ startsAt: Timestamp) -> Timestamp { startsAt.adding(.zero - lead) }

    func endsAt(_ startsAt: Timestamp) -> Timestamp {
        Timestamp(seconds: grid.end(ofSlotAt: startsAt.seconds))
    }
}

extension ScheduleRules {
    init(_ application: Application) {
        self.init(
            grid: application.grid, lead: .seconds(application.configuration.leadSeconds),
            roomSize: application.roomSize)
    }
}
