/// A mistake that is made on purpose, to see that a simulation finds it.
enum PlantedBug: String, CaseIterable, Sendable {
    // What the code around the database does wrong.

    /// A match does not take the lock of its slot.
    case forgetsLock
    /// The scheduler reads the clock of its machine.
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
    /// Whoever registers for a slot that is closed is taken.
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

    // What a commit does wrong; see `PlantedBug.spoil`.

    /// Of those whose room opens one is not told.
    case losesOpening
    /// Of those whose room changes one is not told.
    case losesChange
    /// Of those whose session is over one is not told.
    case losesEnd
    /// An opening is told twice.
    case repeatsOpening
    /// A change is told twice.
    case repeatsChange
    /// The end is told twice.
    case repeatsEnd
    /// A change is told as an opening.
    case mistakesChange
    /// A notification names another room of the slot.
    case namesAnotherRoom
    /// A notification names the company before the change.
    case namesOldRevision
    /// A room changes, and its revision does not.
    case keepsRevision
    /// Whoever came has missed the session.
    case missesWhoCame
    /// Whoever stayed away has completed the session.
    case completesWhoDidNot
    /// A session that ran has lapsed.
    case lapsesWhatRan
    /// Of the rooms of a match one is forgotten.
    case dropsRoom
    /// One of a room's people gets a room alone.
    case splitsRoom
    /// Two rooms become one.
    case mergesRooms
    /// Whoever cancels keeps the seat.
    case keepsSeat
    /// A cancelling is undone.
    case losesCancelling
    /// Somebody who was matched was never registered.
    case losesRegistration
    /// A slot is closed, and nobody knows.
    case forgetsClosing
    /// Whom a deleted account had blocked, and by whom it was blocked, is kept.
    case keepsOpinions
    /// The registrations of a deleted account name it.
    case keepsOwner
    /// What others were told goes with a deleted account.
    case deletesTooMuch

    // What a transaction reads wrong.

    /// Of several who are to be matched one is not seen.
    case overlooksArrival
    /// Who has cancelled is matched.
    case matchesCancelled
    /// Everybody in a room is believed to be there.
    case believesPresence
    /// Nobody in a room is believed to be there, or to have been.
    case believesAbsence
    /// Of several blocks one is not read.
    case overlooksABlock
    /// Another server's lease is not respected.
    case ignoresLease

    // What a server does wrong.

    /// Nobody tells a server who registers.
    case hearsNothing
    /// Alarms ring two seconds late.
    case wakesLate
    /// That a server was up while a slot ran is not noted.
    case forgetsServing
    /// Slots that are open are not in the agenda.
    case forgetsOpenSlots
    /// Slots that are over are not in the agenda.
    case forgetsCatchUp
    /// Whoever is present anywhere is released with those of a server that is gone.
    case releasesEverybody
}

extension PlantedBug {
    /// Where the search begins: at a world that finds what hardly any world does, so that nobody waits for
    /// it.
    var seed: UInt64 {
        let known: [PlantedBug: UInt64] = [
            .overlooksLastBlocks: 82, .overlooksLate: 191, .keepsTheDead: 1322, .releasesEverybody: 3830,
        ]
        return known[self] ?? 1
    }
}
