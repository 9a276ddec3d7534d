/// The lengths of slots that people may choose from, and the grid on which all of them start.
package struct SlotLengths: Hashable, Sendable {
    /// The lengths in minutes; the first is that of a request which names none.
    package let minutes: [Int]
    package let grid: SlotGrid

    /// Creates the lengths; nil if there is none, or if the step of the grid does not divide a day.
    package init?(minutes: [Int], gridMinutes: Int) {
        guard !minutes.isEmpty, minutes.allSatisfy({ $0 > 0 }),
            let grid = SlotGrid(slotSeconds: Int64(gridMinutes) * 60)
        else { return nil }
        self.minutes = minutes
        self.grid = grid
    }

    package var standard: Int { minutes[0] }
}
