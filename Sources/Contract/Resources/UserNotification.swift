extension Routes {
    public static let notifications = "/v1/notifications"
    public static let events = "/v1/events"
}

/// An event for one user, which the service stores and sends to all endpoints and streams of the user.
public struct UserNotification: Hashable, Sendable {
    /// A number that grows with each notification of the user.
    public var id: Int64
    public var createdAt: Timestamp
    public var data: NotificationData

    public init(id: Int64, createdAt: Timestamp, data: NotificationData) {
        self.id = id
        self.createdAt = createdAt
        self.data = data
    }

    /// The name of the type, which is also the `event` of server-sent events.
    public var type: String { data.typeName }
}

extension UserNotification: Codable {
    private enum Key: String, CodingKey { case id, type, createdAt, data }
    private enum SlotKey: String, CodingKey { case registrationId }
    private enum AnnouncementKey: String, CodingKey { case text }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(Int64.self, forKey: .id)
        createdAt = try container.decode(Timestamp.self, forKey: .createdAt)
        let type = try container.decode(String.self, forKey: .type)
        switch NotificationType(rawValue: type) {
        case .roomOpened:
            data = .roomOpened(try container.decode(NotificationData.RoomDetails.self, forKey: .data))
        case .roomChanged:
            data = .roomChanged(try container.decode(NotificationData.RoomDetails.self, forKey: .data))
        case .sessionMissed:
            data = .sessionMissed(try container.decode(NotificationData.Session.self, forKey: .data))
        case .sessionLapsed:
            data = .sessionLapsed(try container.decode(NotificationData.Session.self, forKey: .data))
        case .sessionCompleted:
            data = .sessionCompleted(
                try container.decode(NotificationData.SessionSummary.self, forKey: .data))
        case .slotPartnered:
            data = try Self.slot(container).map(NotificationData.slotPartnered) ?? .unknown(type: type)
        case .slotAlone:
            data = try Self.slot(container).map(NotificationData.slotAlone) ?? .unknown(type: type)
        case .announcement:
            let members = try container.nestedContainer(keyedBy: AnnouncementKey.self, forKey: .data)
            let text = try members.decodeIfPresent(String.self, forKey: .text)
            data = text.map { .announcement(NotificationData.Announced(text: $0)) } ?? .unknown(type: type)
        case nil:
            data = .unknown(type: type)
        }
    }

    /// Reads the slot of a notification; nil if `data` is empty. A server that does not know the type, which
    /// a newer server has stored, sends it without its data.
    private static func slot(
        _ container: KeyedDecodingContainer<Key>
    ) throws -> NotificationData.SlotDetails? {
        let members = try container.nestedContainer(keyedBy: SlotKey.self, forKey: .data)
        guard members.contains(.registrationId) else { return nil }
        return try container.decode(NotificationData.SlotDetails.self, forKey: .data)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(data, forKey: .data)
    }
}

/// The type of a notification; the cases of `NotificationData` describe them.
public enum NotificationType: String, CaseIterable, Codable, Hashable, Sendable {
    case roomOpened = "room.opened"
    case roomChanged = "room.changed"
    case sessionMissed = "session.missed"
    case sessionLapsed = "session.lapsed"
    case sessionCompleted = "session.completed"
    case slotPartnered = "slot.partnered"
    case slotAlone = "slot.alone"
    case announcement

    /// The names of all types, separated by commas.
    public static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// Reads names that are separated by commas. Throws for an unknown name.
    public static func list(_ text: String) throws(ValidationError) -> [NotificationType] {
        var types: [NotificationType] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let type = NotificationType(rawValue: String(name)) else {
                throw ValidationError("There is no such notification; there is \(names).")
            }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }
}

/// The order of a list of notifications.
public enum NotificationOrder: String, CaseIterable, Sendable {
    /// Oldest first.
    case ascending = "asc"
    /// Newest first.
    case descending = "desc"
}

/// The answer of `GET /v1/notifications`, in the requested order.
public struct NotificationList: Codable, Hashable, Sendable {
    public var notifications: [UserNotification]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(notifications: [UserNotification], nextCursor: String? = nil) {
        self.notifications = notifications
        self.nextCursor = nextCursor
    }
}

/// The last event of a stream of notifications that a newer stream of the account replaces. It is no
/// notification, and a client does not reconnect after it.
package enum StreamReplacement {
    package static let event = "replaced"
}

/// The event of a silent stream of notifications with `heartbeat=event`. It is no notification and has no id.
/// An `EventSource` does not show comments, and needs it to detect a dead stream.
package enum StreamHeartbeat {
    package static let parameter = "heartbeat"
    package static let value = "event"
    package static let event = "heartbeat"
}
