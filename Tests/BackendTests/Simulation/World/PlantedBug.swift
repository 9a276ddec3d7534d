/// A mistake that is made on purpose, to see that a simulation finds it.
enum PlantedBug: String, CaseIterable, Sendable {
    /// A match does not take the lock of its slot.
    case forgetsLock
    /// The scheduler reads a clock that never goes back.
    case trustsClock
    /// Who joins late is put together with whomever they blocked.
    case forgetsBlocks
    /// Blocks are read when a match begins, and not again at the opening.
    case overlooksLastBlocks
    /// Rooms are committed first, and who is told of them is written afterwards.
    case tellsAfterwards
    /// Who registered after the opening is not seen when the agenda is read.
    case overlooksLate
    /// Who has entered is taken out of a room as if they had not.
    case movesEntered
    /// Who registers for a slot that is closed is taken.
    case registersTooLate
    /// Of those who are told in parts how it went the last ones are forgotten.
    case forgetsTheLast
    /// Notes that a server is up are lost, and so is since when it was.
    case forgetsAlive
    /// Who was present on a server that is gone for good counts as present.
    case keepsTheDead
    /// The agenda is read every five seconds, whether there is anything to do or not.
    case looksTooOften
    /// The scheduler does not hear who comes and goes.
    case overlooksPresence
}
