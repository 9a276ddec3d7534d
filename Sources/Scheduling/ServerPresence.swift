import Contract

/// The notes by which other servers know that this one is up, and since when.
///
/// While a slot is open a server notes every 25 seconds that it is up. A server without a note for 75 seconds
/// counts as gone: the members who were present there are not present any more.
struct ServerPresence {
    /// The time between two notes while a slot is open.
    private static let interval = Duration.seconds(25)
    /// The time without a note after which a server counts as gone.
    static let silence = Duration.seconds(75)

    private var lastNote: Timestamp?
    /// The instant since which the notes follow each other without such a silence.
    private var notesSince: Timestamp?
    /// The latest answer of the database, and the first of the answers that followed each other without such
    /// a silence.
    private var contact: (last: Timestamp, first: Timestamp)?
    /// Whether the other servers may have taken this one for gone, so that its present members have to be
    /// stored again.
    private(set) var owesPresence = false
    private var retry = Retry()
    private var isNoting = false

    /// Whether a note is due: at the start, at each opening, and while a slot is open.
    func isDue(at now: Timestamp, hasOpenSlot: Bool) -> Bool {
        if isNoting { return false }
        if let lastNote {
            guard hasOpenSlot, now >= lastNote.adding(Self.interval) || now < lastNote else { return false }
        }
        return retry.notBefore(now, at: now) <= now
    }

    /// Returns the instant at which the next note is due; nil if none is due, or one is under way.
    func nextInstant(at now: Timestamp, hasOpenSlot: Bool) -> Timestamp? {
        guard !isNoting, lastNote == nil || hasOpenSlot else { return nil }
        return retry.notBefore(lastNote?.adding(Self.interval) ?? now, at: now)
    }

    mutating func begin() { isNoting = true }

    /// Returns the contents of a note: since when this server has been up, and whether that is long enough to
    /// say which others are gone. Between slots no server notes anything: the others must have had the time
    /// to.
    mutating func note(at now: Timestamp) -> (upSince: Timestamp, isReleasing: Bool) {
        let goesOn = lastNote.map { $0 <= now && now < $0.adding(Self.silence) } ?? false
        if !goesOn {
            notesSince = now
            owesPresence = true
        }
        let isLong = notesSince.map { $0.adding(Self.silence) <= now } ?? false
        return (contactSince(at: now), isLong)
    }

    /// Records that the note is stored. `isNew` means that the others had taken this server for gone.
    mutating func stored(at now: Timestamp, isNew: Bool) {
        lastNote = now
        answered(at: now)
        if isNew { owesPresence = true }
    }

    /// Records that the present members are stored.
    mutating func presenceStored() { owesPresence = false }

    mutating func succeeded() {
        retry.succeed()
        isNoting = false
    }

    /// Returns the number of failures in a row.
    mutating func failed(at now: Timestamp) -> Int {
        retry.fail(at: now)
        isNoting = false
        return retry.failures
    }

    mutating func hasten() { retry.hasten() }

    /// Records an answer of the database.
    mutating func answered(at now: Timestamp) { contact = (now, contactSince(at: now)) }

    private func contactSince(at now: Timestamp) -> Timestamp {
        guard let contact, contact.last <= now, now < contact.last.adding(Self.silence) else { return now }
        return contact.first
    }
}
