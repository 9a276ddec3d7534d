extension Routes {
    public static let registrations = "/v1/registrations"
    public static func registration(_ id: Identifier) -> String { "\(registrations)/\(id)" }
}

/// A task of one user for one slot.
public struct Registration: Codable, Hashable, Sendable {
    /// The reason for which a local time was adjusted (RFC 5545 §3.3.5).
    public enum Adjustment: String, Codable, Hashable, Sendable {
        /// The local time does not exist, because clocks went forward over it.
        case gap
        /// The local time exists twice; the slot is at the first.
        case overlap
    }

    public var id: Identifier
    public var slot: SlotSpan
    public var task: String
    @Nullable public var tag: String?
    public var state: Extensible<RegistrationState>
    /// The room; nil before the slot has opened.
    @Nullable public var roomId: Identifier?
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// The adjustment of a local time; nil if there is none.
    public var adjusted: Extensible<Adjustment>?
    /// The text that the member shows to the room; nil if there is none.
    public var checkIn: String?
    /// The outcome that the member has set; nil if there is none.
    public var outcome: Extensible<SessionOutcome>?
    /// The note on the outcome; nil if there is none.
    public var note: String?
    /// The routine that made the registration; nil if a request did.
    public var routineId: Identifier?
    /// `favourites` if the user is matched with favorites only; nil otherwise.
    public var with: Extensible<Company>?
    /// True if the user receives no ales; nil otherwise.
    public var quiet: Bool?

    public init(
        id: Identifier, slot: SlotSpan, task: String, tag: String?, state: RegistrationState,
        roomId: Identifier?,
        createdAt: Timestamp, updatedAt: Timestamp, adjusted: Adjustment? = nil,
        words: SessionWords = SessionWords(), routineId: Identifier? = nil, with: Company? = nil,
        quiet: Bool? = nil
    ) {
        self.id = id
        self.slot = slot
        self.task = task
        self.tag = tag
        self.state = .known(state)
        self.roomId = roomId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.adjusted = adjusted.map { .known($0) }
        (checkIn, outcome, note) = (words.checkIn, words.outcome.map { .known($0) }, words.note)
        self.routineId = routineId
        self.with = with.map { .known($0) }
        self.quiet = quiet
    }

    /// The check-in, outcome and note. An outcome that this version does not know is nil.
    public var words: SessionWords { SessionWords(checkIn: checkIn, outcome: outcome?.known, note: note) }
}

/// The state of a registration.
public enum RegistrationState: String, CaseIterable, Codable, Hashable, Sendable {
    /// The slot has not opened.
    case registered
    /// The slot has opened, and the registration has a room.
    case matched
    /// The room has closed, and the user had entered.
    case attended
    /// The room has closed, and the user had not entered.
    case missed
    case cancelled
    /// The service was down for the whole slot.
    case lapsed
}

/// The answer of `POST` and `GET /v1/registrations`.
public struct RegistrationList: Codable, Hashable, Sendable {
    public var registrations: [Registration]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(registrations: [Registration], nextCursor: String? = nil) {
        self.registrations = registrations
        self.nextCursor = nextCursor
    }
}
