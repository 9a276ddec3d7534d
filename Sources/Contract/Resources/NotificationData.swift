/// The data of a notification, which depends on its type.
public enum NotificationData: Hashable, Sendable {
    case roomOpened(RoomDetails)
    case roomChanged(RoomDetails)
    case sessionMissed(Session)
    case sessionLapsed(Session)
    case sessionCompleted(SessionSummary)
    /// The person has a possible partner in the slot, and had none before.
    case slotPartnered(SlotDetails)
    /// The person has no possible partner in the slot any more.
    case slotAlone(SlotDetails)
    /// A message of the service's operators.
    case announcement(Announced)
    /// The data of a notification of a type that this version does not know; a client ignores it.
    case unknown(type: String)

    /// The room and its members.
    public struct RoomDetails: Codable, Hashable, Sendable {
        public var registrationId: Identifier
        public var roomId: Identifier
        public var startsAt: Timestamp
        public var closesAt: Timestamp
        public var socketUrl: String
        /// The other members; empty if there are none yet.
        public var partners: [Partner]

        public init(
            registrationId: Identifier, roomId: Identifier, startsAt: Timestamp, closesAt: Timestamp,
            socketUrl: String,
            partners: [Partner]
        ) {
            self.registrationId = registrationId
            self.roomId = roomId
            self.startsAt = startsAt
            self.closesAt = closesAt
            self.socketUrl = socketUrl
            self.partners = partners
        }
    }

    /// A session that was missed, or that lapsed.
    public struct Session: Codable, Hashable, Sendable {
        public var registrationId: Identifier
        /// The room; nil if there was none.
        public var roomId: Identifier?
        public var startsAt: Timestamp

        public init(registrationId: Identifier, roomId: Identifier? = nil, startsAt: Timestamp) {
            self.registrationId = registrationId
            self.roomId = roomId
            self.startsAt = startsAt
        }
    }

    /// A slot that has not opened yet, and the person's registration for it.
    public struct SlotDetails: Codable, Hashable, Sendable {
        public var registrationId: Identifier
        public var startsAt: Timestamp
        public var endsAt: Timestamp

        public init(registrationId: Identifier, startsAt: Timestamp, endsAt: Timestamp) {
            self.registrationId = registrationId
            self.startsAt = startsAt
            self.endsAt = endsAt
        }
    }

    /// A message of the service's operators to all accounts, to the people of a slot, or to one person.
    public struct Announced: Codable, Hashable, Sendable {
        public var text: String

        public init(text: String) {
            self.text = text
        }
    }

    /// The summary of a completed session.
    public struct SessionSummary: Codable, Hashable, Sendable {
        public var registrationId: Identifier
        /// The room; nil from servers that do not send it yet.
        public var roomId: Identifier?
        public var startsAt: Timestamp
        public var alesSent: Int64
        public var alesReceived: Int64
        public var partners: [Partner]

        public init(
            registrationId: Identifier, roomId: Identifier? = nil, startsAt: Timestamp, alesSent: Int64,
            alesReceived: Int64, partners: [Partner]
        ) {
            self.registrationId = registrationId
            self.roomId = roomId
            self.startsAt = startsAt
            self.alesSent = alesSent
            self.alesReceived = alesReceived
            self.partners = partners
        }
    }

    /// The room that the notification is about; nil if there is none.
    public var roomId: Identifier? {
        switch self {
        case .roomOpened(let details), .roomChanged(let details): details.roomId
        case .sessionMissed(let session), .sessionLapsed(let session): session.roomId
        case .sessionCompleted(let summary): summary.roomId
        case .slotPartnered, .slotAlone, .announcement, .unknown: nil
        }
    }

    /// The type; nil if this version does not know it.
    public var type: NotificationType? { NotificationType(rawValue: typeName) }

    public var typeName: String {
        switch self {
        case .roomOpened: NotificationType.roomOpened.rawValue
        case .roomChanged: NotificationType.roomChanged.rawValue
        case .sessionMissed: NotificationType.sessionMissed.rawValue
        case .sessionLapsed: NotificationType.sessionLapsed.rawValue
        case .sessionCompleted: NotificationType.sessionCompleted.rawValue
        case .slotPartnered: NotificationType.slotPartnered.rawValue
        case .slotAlone: NotificationType.slotAlone.rawValue
        case .announcement: NotificationType.announcement.rawValue
        case .unknown(let type): type
        }
    }
}

/// Writes the member `data` of a notification; the type is written beside it.
extension NotificationData: Encodable {
    private struct Nothing: Encodable {}

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .roomOpened(let details), .roomChanged(let details): try details.encode(to: encoder)
        case .sessionMissed(let session), .sessionLapsed(let session): try session.encode(to: encoder)
        case .sessionCompleted(let summary): try summary.encode(to: encoder)
        case .slotPartnered(let details), .slotAlone(let details): try details.encode(to: encoder)
        case .announcement(let announced): try announced.encode(to: encoder)
        case .unknown: try Nothing().encode(to: encoder)
        }
    }
}

/// A person that a notification names. A former user has neither task nor tag.
public struct Partner: Codable, Hashable, Sendable {
    /// The id of the partner's registration, never of the user.
    public var id: Identifier
    public var name: String
    @Nullable public var task: String?
    @Nullable public var tag: String?
    /// True if the partner wants no ales and is sent none; left out otherwise.
    public var quiet: Bool?

    public init(id: Identifier, name: String, task: String?, tag: String?, quiet: Bool? = nil) {
        self.id = id
        self.name = name
        self.task = task
        self.tag = tag
        self.quiet = quiet
    }
}
