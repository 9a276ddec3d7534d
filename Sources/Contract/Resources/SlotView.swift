extension Routes {
    public static let slots = "/v1/slots"
}

/// One slot of a day, as the caller sees it.
public struct SlotView: Codable, Hashable, Sendable {
    public var startsAt: Timestamp
    public var endsAt: Timestamp
    /// The local time of the start, in the requested zone.
    public var localTime: String
    /// The offset of the local time from UTC, such as `+05:30`: an hour that comes twice has two.
    public var utcOffset: String?
    public var state: Extensible<SlotState>
    public var message: String
    /// The number of other registered people.
    public var others: Int
    /// The person's registration; left out if there is none.
    public var registrationId: Identifier?
    /// The room; left out if there is none yet, and once it is closed by an operator.
    public var roomId: Identifier?
    /// The person who closed the room before the end of the slot; left out otherwise.
    public var closedBy: Extensible<RoomCloser>?
    /// The person's task; left out if there is no registration.
    public var task: String?
    /// The other members of the room; left out until there is a room.
    public var partners: [Partner]?

    /// Makes a view; its message follows from the state and from `closedBy`, in that language.
    public init(
        startsAt: Timestamp, endsAt: Timestamp, localTime: String, utcOffset: String? = nil, state: SlotState,
        others: Int, registrationId: Identifier? = nil, roomId: Identifier? = nil,
        closedBy: RoomCloser? = nil, task: String? = nil, partners: [Partner]? = nil,
        in language: Language = .english
    ) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.localTime = localTime
        self.utcOffset = utcOffset
        self.state = .known(state)
        self.message = (closedBy?.message ?? state.message(others: others)).said(in: language)
        self.others = others
        self.registrationId = registrationId
        self.roomId = roomId
        self.closedBy = closedBy.map { .known($0) }
        self.task = task
        self.partners = partners
    }
}

/// The state of a slot for the caller.
public enum SlotState: String, CaseIterable, Codable, Hashable, Sendable {
    /// No person is registered yet.
    case empty
    /// Others are registered; you are not.
    case waiting
    /// You are registered; others are not.
    case registered
    /// You and at least one other are registered.
    case partnered
    /// Your room is open.
    case open
    /// The slot is over; you attended.
    case attended
    /// The slot is over; you were registered and never entered.
    case missed
    /// You were registered; the service was down for the whole slot.
    case lapsed
    /// The slot is over or too late to join, and you were not registered; or your room was closed before the
    /// end of the slot.
    case closed

    /// Returns a sentence for the person in that language; `others` is the number of other registered people.
    public func message(others: Int, in language: Language) -> String {
        message(others: others).said(in: language)
    }

    /// Returns a sentence for the person; `others` is the number of other registered people.
    package func message(others: Int) -> Text {
        switch self {
        case .empty: "The slot is empty so far. Be the first!"
        case .waiting:
            others == 1 ? "1 person is waiting for a partner." : "\(others) people will be here. Join them!"
        case .registered: "You are in. A partner may still come."
        case .partnered:
            others == 1 ? "You are in, and so is 1 other." : "You are in, and so are \(others) others."
        case .open: others == 0 ? "Your room is open." : "Your room is open. Come in!"
        case .attended: "Done. Well worked!"
        case .missed: "You did not make it this time. There is always a next one."
        case .lapsed: "We were down for this one. It does not count against you."
        case .closed where others == 0: "This one is over."
        case .closed where others == 1: "This one went ahead with 1 person."
        case .closed: "This one went ahead with \(others) people."
        }
    }
}

/// The answer of `GET /v1/slots`.
public struct SlotList: Codable, Hashable, Sendable {
    public var date: LocalDate
    public var timeZone: String
    public var slots: [SlotView]
    /// The length of these slots; left out if the server has slots of one length only.
    public var minutes: Int?
    /// The lengths that one may choose from, the usual one first; left out together with `minutes`.
    public var lengths: [Int]?

    public init(
        date: LocalDate, timeZone: String, slots: [SlotView], minutes: Int? = nil, lengths: [Int]? = nil
    ) {
        self.date = date
        self.timeZone = timeZone
        self.slots = slots
        self.minutes = minutes
        self.lengths = lengths
    }
}
