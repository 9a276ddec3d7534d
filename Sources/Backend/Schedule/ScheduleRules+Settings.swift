import Contract
import Matching
import Scheduling
import Settings

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
