/// A planted bug, to check that a simulation finds it.
enum PlantedBug: String, CaseIterable, Sendable {
    // Bugs of the code around the database.

    /// A match does not take the lock of its slot.
    case forgetsLock
    /// The scheduler reads the clock of its machine.
    case trustsClock
    /// A late arrival is put together with a person they blocked.
    case forgetsBlocks
    /// Blocks are read when a match begins, and not again at the opening.
    case overlooksLastBlocks
    /// Rooms are committed first, and their notifications afterwards.
    case tellsAfterwards
    /// A member who has entered is moved from a room as if they had not.
    case movesEntered
    /// A registration for a closed slot is accepted.
    case registersTooLate
    /// A user may be registered for sessions that overlap.
    case allowsOverlaps
    /// A slot ends as the grid says, whatever its own length.
    case endsByTheGrid
    /// The last people are forgotten when ends are told in parts.
    case forgetsTheLast
    /// Heartbeats are lost, with the instant since which the server is up.
    case forgetsAlive
    /// Members who were present on a server that is gone for good count as present.
    case keepsTheDead
    /// The agenda is read every five seconds, whether there is anything to do or not.
    case looksTooOften
    /// The scheduler does not hear of changes of presence.
    case overlooksPresence
    /// The scheduler does not hear that members cancelled, or were removed.
    case overlooksDepartures

    // Bugs of a commit; see `PlantedBug.spoil`.

    /// One of the openings of a commit is not told.
    case losesOpening
    /// One of the changes of a commit is not told.
    case losesChange
    /// One of the ends of a commit is not told.
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
    /// A notification names the revision before the change.
    case namesOldRevision
    /// A room changes, and its revision does not.
    case keepsRevision
    /// A member who came has missed the session.
    case missesWhoCame
    /// A member who stayed away has completed the session.
    case completesWhoDidNot
    /// A session that took place has lapsed.
    case lapsesWhatRan
    /// One of the rooms of a match is forgotten.
    case dropsRoom
    /// One of a room's members gets a room alone.
    case splitsRoom
    /// Two rooms become one.
    case mergesRooms
    /// A member who cancels stays in the room.
    case keepsSeat
    /// A cancelling is undone.
    case losesCancelling
    /// The registration of a person who was matched is lost.
    case losesRegistration
    /// The closing of a slot is lost.
    case forgetsClosing
    /// The blocks of a deleted account, in either direction, are kept.
    case keepsOpinions
    /// The registrations of a deleted account still name it.
    case keepsOwner
    /// Notifications of others are deleted with an account.
    case deletesTooMuch

    // Bugs of a reading transaction.

    /// One of several arrivals is not seen.
    case overlooksArrival
    /// A cancelled registration is matched.
    case matchesCancelled
    /// Every member of a room is believed to be present.
    case believesPresence
    /// No member of a room is believed to be present, or to have been.
    case believesAbsence
    /// One of several blocks is not read.
    case overlooksABlock
    /// Another server's lease is ignored.
    case ignoresLease
    /// A pair by an invite is matched like anybody.
    case partsInvited
    /// A person who meets favourites only is matched with strangers.
    case forgetsFavouritesOnly

    // Bugs of a server.

    /// A server hears of no registrations.
    case hearsNothing
    /// Alarms go off two seconds late.
    case wakesLate
    /// The note that a server was up while a slot ran is not written.
    case forgetsServing
    /// Open slots are missing in the agenda.
    case forgetsOpenSlots
    /// Slots that are over are missing in the agenda.
    case forgetsCatchUp
    /// Members present on any server are released with those of a server that is gone.
    case releasesEverybody
}

extension PlantedBug {
    /// The seed at which the search begins: a world that finds a bug which hardly any world does, to save the
    /// search.
    var seed: UInt64 {
        let known: [PlantedBug: UInt64] = [
            .overlooksLastBlocks: 82, .keepsTheDead: 1322, .releasesEverybody: 3830,
        ]
        return known[self] ?? 1
    }
}
