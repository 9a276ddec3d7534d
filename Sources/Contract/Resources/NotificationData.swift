/// The data of a notification, which depends on its type.
public enum NotificationData: Hashable, Sendable {
    /// The room has opened, `LEAD_SECONDS` before the start or after a late registration.
    case roomOpened(RoomDetails)
    /// The room has other members, or the user has another room.
    case roomChanged(RoomDetails)
    /// The room has closed, and the user had not entered it.
    case sessionMissed(Session)
    /// The service was down for the whole slot. The session does not count.
    case sessionLapsed(Session)
    /// The room has closed, and the user had entered it.
    case sessionCompleted(SessionSummary)
    /// The user was alone in the slot, and a possible partner has registered.
    case slotPartnered(SlotDetails)
    /// The last possible partner in the slot has cancelled.
    case slotAlone(SlotDetails)
    /// A message of the operators, or a notice about the security of the account.
    case announcement(Announced)
    /// A notification of a type that this version does not know. A client ignores it.
    case unknown(type: String)

    /// The room, its socket and its members.
    public struct RoomDetails: Codable, Hashable, Sendable {
        /// The user's registration.
        public var registrationId: Identifier
        public var roomId: Identifier
        /// The start of the slot.
        public var startsAt: Timestamp
        /// The end of the room.
        public var closesAt: Timestamp
        /// The URL of the socket, with a ticket for the user.
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
        /// The user's registration.
        public var registrationId: Identifier
        /// The room; nil if there was none.
        public var roomId: Identifier?
        /// The start of the slot.
        public var startsAt: Timestamp

        public init(registrationId: Identifier, roomId: Identifier? = nil, startsAt: Timestamp) {
            self.registrationId = registrationId
            self.roomId = roomId
            self.startsAt = startsAt
        }
    }

    /// A slot that has not opened, and the user's registration for it.
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

    /// The text of an announcement.
    public struct Announced: Codable, Hashable, Sendable {
        public var text: String

        public init(text: String) {
            self.text = text
        }
    }

    /// The summary of a completed session.
    public struct SessionSummary: Codable, Hashable, Sendable {
        /// The user's registration.
        public var registrationId: Identifier
        /// The room; nil from a server of an earlier version.
        public var roomId: Identifier?
        /// The start of the slot.
        public var startsAt: Timestamp
        /// The number of the user's ales.
        public var alesSent: Int64
        /// The number of ales that the user received.
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

    /// The room of the notification; nil if it has none.
    public var roomId: Identifier? {
        switch self {
        case .roomOpened(let details), .roomChanged(let details): details.roomId
        case .sessionMissed(let session), .sessionLapsed(let session): session.roomId
        case .sessionCompleted(let summary): summary.roomId
        case .slotPartnered, .slotAlone, .announcement, .unknown: nil
        }
    }

    /// The room that is open now; nil for a notification of another type.
    package var openRoom: RoomDetails? {
        switch self {
        case .roomOpened(let details), .roomChanged(let details): details
        case .sessionMissed, .sessionLapsed, .sessionCompleted, .slotPartnered, .slotAlone, .announcement,
            .unknown:
            nil
        }
    }

    /// The type; nil if this version does not know it.
    public var type: NotificationType? { NotificationType(rawValue: typeName) }

    /// The name of the type, also of an unknown one.
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

/// The JSON is the member `data` of a notification, which has the type in another member.
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

/// A partner of the user. A deleted account has neither task nor tag.
public struct Partner: Codable, Hashable, Sendable {
    /// The id of the partner's registration. Ids of other users are not disclosed.
    public var id: Identifier
    public var name: String
    @Nullable public var task: String?
    @Nullable public var tag: String?
    /// True if the partner receives no ales; nil otherwise.
    public var quiet: Bool?

    public init(id: Identifier, name: String, task: String?, tag: String?, quiet: Bool? = nil) {
        self.id = id
        self.name = name
        self.task = task
        self.tag = tag
        self.quiet = quiet
    }
}
