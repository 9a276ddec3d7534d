/// A mistake that is made on purpose, to see that a simulation finds it.
enum PlantedBug: String, CaseIterable, Sendable {
    /// A match does not take the lock of its slot.
    case forgetsLock
    /// The scheduler reads a clock that never goes back.
    case trustsClock
    /// Who joins late is put together with whomever they blocked.
    case forgetsBlocks
    /// Rooms are committed first, and who is told of them is written afterwards.
    case tellsAfterwards
    /// Who registered after the opening is not seen when the agenda is read.
    case overlooksLate
    /// Who has entered is taken out of a room as if they had not.
    case movesEntered
}
