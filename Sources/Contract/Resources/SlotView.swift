extension Routes {
    public static let slots = "/v1/slots"
}

/// A slot of a day, with its state for the caller.
public struct SlotView: Codable, Hashable, Sendable {
    public var startsAt: Timestamp
    public var endsAt: Timestamp
    /// The local date and time of the start in `SlotList.timeZone`, such as `2027-03-28T09:30`.
    public var localTime: String
    /// The offset of the local time from UTC, such as `+05:30`. It distinguishes an hour that occurs twice.
    public var utcOffset: String?
    public var state: Extensible<SlotState>
    /// A sentence about the state, in the language of the request.
    public var message: String
    /// The number of other registered people.
    public var others: Int
    /// The caller's registration; nil if there is none.
    public var registrationId: Identifier?
    /// The caller's room; nil before the slot has opened, and after an operator has closed the room.
    public var roomId: Identifier?
    /// The person who closed the room before the end of the slot; nil otherwise.
    public var closedBy: Extensible<RoomCloser>?
    /// The caller's task; nil without a registration.
    public var task: String?
    /// The other members of the room; nil without a room.
    public var partners: [Partner]?

    /// Makes a view with the message of its state, or of `closedBy`, in that language.
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
    /// No person is registered.
    case empty
    /// Others are registered; the caller is not.
    case waiting
    /// The caller is registered; others are not.
    case registered
    /// The caller and at least one other person are registered.
    case partnered
    /// The caller's room is open.
    case open
    /// The slot is over, and the caller attended.
    case attended
    /// The slot is over, and the caller did not enter the room.
    case missed
    /// The caller was registered, and the service was down for the whole slot.
    case lapsed
    /// Registration has closed and the caller has none, or an operator has closed the caller's room.
    case closed

    /// Returns a sentence for the caller in that language; `others` is the number of other registered people.
    public func message(others: Int, in language: Language) -> String {
        message(others: others).said(in: language)
    }

    /// Returns a sentence for the caller; `others` is the number of other registered people.
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
    /// The day, in `timeZone`.
    public var date: LocalDate
    /// The IANA name of the requested time zone.
    public var timeZone: String
    public var slots: [SlotView]
    /// The length of these slots in minutes; nil if the server has slots of one length only.
    public var minutes: Int?
    /// The lengths of slots in minutes, the usual one first; nil if `minutes` is.
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
