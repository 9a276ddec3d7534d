import Contract
import Matching
import Scheduling
import Settings

extension ScheduleRules {
    /// Creates the rules; nil if the sizes of slots or rooms are invalid.
    init?(_ configuration: ServerConfiguration) {
        guard let grid = SlotGrid(slotSeconds: Int64(configuration.slotSeconds)),
            let roomSize = RoomSize(configuration.roomSize)
        else { return nil }
        self.init(grid: grid, lead: .seconds(configuration.leadSeconds), roomSize: roomSize)
        trios = configuration.trios == .on
        hasHeadStart = true
        roomsAtOnce = 10_000 / roomSize.people
        roomsInPart = 2_500 / roomSize.people
        lengths = SlotLengths(
            minutes: configuration.slotLengths, gridMinutes: configuration.slotGridMinutes)
        let longest = max(configuration.slotSeconds, (configuration.slotLengths.max() ?? 0) * 60)
        if configuration.noShowSeconds < longest {
            noShow = .seconds(configuration.noShowSeconds)
        }
    }
}
