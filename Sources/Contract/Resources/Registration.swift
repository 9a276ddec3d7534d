extension Routes {
    public static let registrations = "/v1/registrations"
    public static func registration(_ id: Identifier) -> String { "\(registrations)/\(id)" }
}

/// One task declared for one slot.
public struct Registration: Codable, Hashable, Sendable {
    /// The reason for which a local time was moved to another instant (RFC 5545 §3.3.5).
    public enum Adjustment: String, Codable, Hashable, Sendable {
        /// The local time does not exist: clocks went forward over it.
        case gap
        /// The local time exists twice, and the first one is meant.
        case overlap
    }

    public var id: Identifier
    public var slot: SlotSpan
    public var task: String
    @Nullable public var tag: String?
    public var state: Extensible<RegistrationState>
    @Nullable public var roomId: Identifier?
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// The adjustment; left out if there is none.
    public var adjusted: Extensible<Adjustment>?
    /// The words at the start; left out if there are none.
    public var checkIn: String?
    /// The outcome; left out before the member says it.
    public var outcome: Extensible<SessionOutcome>?
    /// The words on the outcome; left out if there are none.
    public var note: String?
    /// The routine that made the registration; left out if there is none.
    public var routineId: Identifier?
    /// `favourites` if the person meets favourites only; left out otherwise.
    public var with: Extensible<Company>?
    /// True if the person wants no ales; left out otherwise.
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

    /// The words of the member about the session. An unknown outcome is left out.
    public var words: SessionWords { SessionWords(checkIn: checkIn, outcome: outcome?.known, note: note) }
}

/// The state of a registration.
public enum RegistrationState: String, CaseIterable, Codable, Hashable, Sendable {
    /// The slot is in the future.
    case registered
    /// The room is open.
    case matched
    /// The room closed, and the person had entered.
    case attended
    /// The room closed, and the person had not entered.
    case missed
    case cancelled
    /// The service was down for the whole slot.
    case lapsed
}

/// The answer of `POST` and `GET /v1/registrations`.
public struct RegistrationList: Codable, Hashable, Sendable {
    public var registrations: [Registration]
    /// The cursor of the next page; left out on the last one.
    public var nextCursor: String?

    public init(registrations: [Registration], nextCursor: String? = nil) {
        self.registrations = registrations
        self.nextCursor = nextCursor
    }
}
