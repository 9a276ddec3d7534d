import Contract

/// What the other servers know of this one: that it is up, and since when.
///
/// While a slot is open a server notes every 25 seconds that it is up. A server without a note for 75 seconds
/// counts as gone: the members who were present there are not present any more.
struct ServerPresence {
    /// Between two notes while a slot is open.
    private static let interval = Duration.seconds(25)
    /// Without a note for so long a server is gone.
    static let silence = Duration.seconds(75)

    private var lastNote: Timestamp?
    /// Since when the notes follow each other without such a silence.
    private var notesSince: Timestamp?
    /// The latest answer of the database, and the first of those that followed each other likewise.
    private var contact: (last: Timestamp, first: Timestamp)?
    /// The others may have taken this server for gone, and have not heard since who is present.
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

    /// When the next note is due; nil where none is, or where one is under way.
    func nextInstant(at now: Timestamp, hasOpenSlot: Bool) -> Timestamp? {
        guard !isNoting, lastNote == nil || hasOpenSlot else { return nil }
        return retry.notBefore(lastNote?.adding(Self.interval) ?? now, at: now)
    }

    mutating func begin() { isNoting = true }

    /// What the note says: since when this server has been up, and whether it has been for so long that it
    /// may say which others are gone. Between slots nobody notes anything: the others had to have the time
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

    /// The note is stored. `isNew`: the others had taken this server for gone.
    mutating func stored(at now: Timestamp, isNew: Bool) {
        lastNote = now
        answered(at: now)
        if isNew { owesPresence = true }
    }

    /// Who is present here is stored.
    mutating func presenceStored() { owesPresence = false }

    mutating func succeeded() {
        retry.succeed()
        isNoting = false
    }

    /// Returns how often it has failed in a row.
    mutating func failed(at now: Timestamp) -> Int {
        retry.fail(at: now)
        isNoting = false
        return retry.failures
    }

    mutating func hasten() { retry.hasten() }

    /// The database has answered.
    mutating func answered(at now: Timestamp) { contact = (now, contactSince(at: now)) }

    private func contactSince(at now: Timestamp) -> Timestamp {
        guard let contact, contact.last <= now, now < contact.last.adding(Self.silence) else { return now }
        return contact.first
    }
}
